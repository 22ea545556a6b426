import Gathering
import Ground
import Machine
import Recording
import Values

/// What Home Assistant is told of this machine: one retained message a kind, at
/// `PREFIX/device/gathered_DEVICE_KIND/config` (fleet F51, F55). Moments are of CLOCK_MONOTONIC.
final class EntityDiscovery {
  /// The longest message, in bytes: some brokers and readers take no longer ones.
  static let limit = 65_000

  /// Where Home Assistant says that it has started.
  let status: String
  private let prefix: String
  private let facts: PublisherFacts
  /// By kinds: the entities that were told, as what deletes them, and the last message.
  private var told = ValueDictionary()
  private var sent: [String: [UInt8]] = [:]
  /// The entities of the message that was made last.
  private var made = ValueDictionary()
  private var hasLeftOut = false
  /// When everything is to be told again; nil for never.
  private(set) var due: Int64?

  /// Nil where the options name no prefix.
  init?(_ facts: PublisherFacts) {
    if facts.options.discovery.isEmpty { return nil }
    self.facts = facts
    prefix = facts.options.discovery
    status = prefix + "/status"
  }

  /// Where a kind of a machine is told.
  static func topic(below prefix: String, _ device: String, _ kind: String) -> String {
    prefix + "/device/" + EntityNames.plain("gathered_" + device + "_" + kind) + "/config"
  }

  /// Home Assistant says that it is there, or leaves. A thousand machines do not answer at once.
  func take(status text: UnsafeRawBufferPointer, at now: Int64) {
    guard String(decoding: text, as: UTF8.self) == "online" else { return }
    due = now + .random(in: 0...3_000_000_000)
  }

  /// All is told again now.
  func begin() { (due, sent) = (nil, [:]) }

  /// The kinds of what was told, or is there.
  func kinds(with present: [String]) -> [String] {
    var kinds = told.keys
    for kind in present where !kinds.contains(kind) { kinds.append(kind) }
    return kinds
  }

  /// What is to be told of a kind's instances, some of which have gone; nil where that was told.
  func message(
    of kind: String, _ members: [PublishedSeries], but gone: Set<Int>
  ) -> BrokerMessage? {
    var count = 0
    for series in members where !gone.contains(series.number) { count += 1 }
    var payload: [UInt8] = []
    made = ValueDictionary()
    if count > 0 {
      payload = self.payload(components(of: members, but: gone, isLabelled: count > 1))
    } else if told[kind] == nil {
      return nil
    }
    if sent[kind] == payload { return nil }
    sent[kind] = payload
    return BrokerMessage(
      Self.topic(below: prefix, facts.device, kind), payload, isRetained: true,
      contentType: "application/json")
  }

  /// The message that was made last was sent, or was not.
  func note(_ kind: String, isSent: Bool) {
    if isSent {
      told[kind] = made.isEmpty ? nil : .dictionary(made)
    } else {
      sent[kind] = nil
    }
  }

  private func payload(_ components: ValueDictionary) -> [UInt8] {
    let device = EntityNames.plain("gathered_" + facts.device)
    let whole: ValueDictionary = [
      "dev": .dictionary(["ids": .list([.string(device)]), "name": .string(facts.device)]),
      "o": .dictionary(["name": .string("gatheredkit"), "sw": .string(Version.text)]),
      "cmps": .dictionary(components),
    ]
    return whole.message
  }

  /// The entities of instances. Those that have gone keep their names, and where two would be
  /// alike, the one that needs no change has it.
  private func components(
    of members: [PublishedSeries], but gone: Set<Int>, isLabelled: Bool
  ) -> ValueDictionary {
    let kind = members[0].kind
    var taken = ValueDictionary()
    for (other, names) in told where other != kind {
      for (name, _) in names.members ?? ValueDictionary() { taken[name] = .bool(true) }
    }
    let list = EntityList(facts, but: taken)
    for isPlain in [true, false] {
      for series in members
      where (EntityNames.plain(series.instance) == series.instance) == isPlain {
        list.add(series, isLabelled: isLabelled, isGone: gone.contains(series.number))
      }
    }
    return fitted(list, of: kind)
  }

  /// What finds room of them, what is shown first, and what deletes those that have gone.
  private func fitted(_ list: EntityList, of kind: String) -> ValueDictionary {
    var components = ValueDictionary()
    var room = Self.limit - 512
    for entities in [list.shown, list.hidden] {
      for (name, value) in entities {
        room -= value.jsonText.utf8.count + name.utf8.count + 8
        if room < 0 { break }
        components[name] = value
        made[name] = .dictionary(["p": value.members?["p"] ?? .none])
      }
    }
    if room < 0, !hasLeftOut {
      hasLeftOut = true
      Log.write(.warning, "mqtt", "Home Assistant is not told of all entities of " + kind)
    }
    for (name, deletion) in told[kind]?.members ?? ValueDictionary() where made[name] == nil {
      components[name] = deletion
    }
    return components
  }
}
