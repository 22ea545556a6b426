import Gathering

/// The templates by which Home Assistant reads our messages. They make nothing of a message that
/// was deleted, and `None`, which it shows as unknown, of a value that is not there (fleet F52).
enum EntityTemplate {
  /// Whether the machine is there, of `online`.
  static let online = "{{ value_json.state if value_json is defined }}"

  /// Whether a source is there, of `about`.
  static let about = """
    {{ 'online' if value_json is defined and value_json['availability']['state'] in \
    ['available','searching'] else 'offline' }}
    """

  /// Where a fix is, of `state`; without one nothing is told, so the last position stays.
  static let position = """
    {% set w=value_json['values'] if value_json is defined else {} %}\
    {% set a=w.get('latitude',{}).get('value') %}\
    {% set o=w.get('longitude',{}).get('value') %}\
    {{ {} if a is none or o is none else ({'latitude':a,'longitude':o,\
    'gps_accuracy':w.get('horizontal_accuracy',{}).get('value') or 0})|tojson }}
    """

  /// A value of `state`, by what is made of it, which it calls `v`.
  private static func value(of key: String, _ made: String) -> String {
    "{% set v=value_json['values'].get('" + key
      + "',{}).get('value') if value_json is defined else none %}{{ none if v is none else "
      + made + " }}"
  }

  static func number(_ key: String, factor: String) -> String {
    value(of: key, factor.isEmpty ? "v" : "v*" + factor)
  }

  static func text(_ key: String) -> String { value(of: key, "v[:255]") }

  static func moment(_ key: String) -> String {
    value(of: key, "(v['time_ns']/1e9)|timestamp_utc")
  }

  static func truth(_ key: String, isInverted: Bool) -> String {
    value(of: key, isInverted ? "'OFF' if v else 'ON'" : "'ON' if v else 'OFF'")
  }

  /// One of some words, or `unknown`.
  static func word(_ key: String, of words: [String]) -> String {
    value(of: key, "v if v in " + list(words) + " else 'unknown'")
  }

  /// What no entity can be, as attributes of one, each by its key.
  static func attributes(_ keys: [String]) -> String {
    "{% set n=namespace(a={}) %}{% if value_json is defined %}{% for k in " + list(keys)
      + " %}{% set v=value_json['values'].get(k,{}).get('value') %}"
      + "{% set n.a=dict(n.a,**{k:v.values()|first if v is mapping else v}) %}"
      + "{% endfor %}{% endif %}{{ n.a|tojson }}"
  }

  private static func list(_ words: [String]) -> String {
    "['" + words.joined(separator: "','") + "']"
  }
}
