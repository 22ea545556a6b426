import Gathering
import Ground
import Values

/// What a machine publishes: `device`, retained.
struct DeviceMessage: Equatable, Sendable {
  /// What a list tells of a source.
  struct Listed: Equatable, Sendable {
    var kind: String
    var instance: String
    var label: String
    var availability: Availability
  }

  static let format = "gatheredkit.device"

  var device: String
  var session: String
  var library = Version.text
  /// Tells one boot from another, and nothing else (fleet F6).
  var boot: String
  var sent: Instant
  var sources: [Listed] = []
  var streams: [String] = []
  var allow: [String] = []
  /// What could not be published, and why.
  var leftOut: [String] = []

  var dictionary: ValueDictionary {
    [
      "format": .string(Self.format), "version": .int(1), "device": .string(device),
      "session": .string(session), "library": .string(library), "boot": .string(boot),
      "sent": sent.dictionary, "sources": .list(sources.map { .dictionary($0.dictionary) }),
      "streams": .list(streams.map(Value.string)), "allow": .list(allow.map(Value.string)),
      "left_out": .list(leftOut.map(Value.string)),
    ]
  }
}

extension DeviceMessage {
  init(_ text: UnsafeRawBufferPointer) throws(MessageFault) {
    let members = try FleetJSON.document(Self.format, of: text)
    guard let device = members["device"]?.text, let session = members["session"]?.text,
      let sent = Instant(members["sent"]), let listed = members["sources"]?.items
    else { throw .incomplete }
    let named = members["streams"]?.items ?? []
    guard listed.count + named.count <= FleetJSON.sourceLimit else { throw .tooMany }
    self.init(device: device, session: session, boot: members["boot"]?.text ?? "", sent: sent)
    library = members["library"]?.text ?? ""
    // Each once, by a name that an id can have.
    var known: Set<SourceIdentifier> = []
    sources = listed.compactMap { $0.members.flatMap(Listed.init) }.filter { source in
      let id = try? SourceIdentifier(kind: source.kind, instance: source.instance)
      return id.map { known.insert($0).inserted } ?? false
    }
    streams = named.compactMap(\.text).filter { name in
      let id = try? SourceIdentifier(kind: FleetTopic.streamKind, instance: name)
      return id.map { known.insert($0).inserted } ?? false
    }
    allow = members["allow"]?.items?.compactMap(\.text) ?? []
    leftOut = members["left_out"]?.items?.compactMap(\.text) ?? []
  }
}

extension DeviceMessage.Listed {
  fileprivate var dictionary: ValueDictionary {
    [
      "kind": .string(kind), "instance": .string(instance), "label": .string(label),
      "availability": .string(availability.state.rawValue),
      "reason": .string(availability.reason), "detail": .string(availability.detail),
      "remedy": .string(availability.remedy),
    ]
  }

  fileprivate init?(_ members: ValueDictionary) {
    guard let kind = members["kind"]?.text, let instance = members["instance"]?.text,
      let state = members["availability"]?.text.flatMap(Availability.State.init)
    else { return nil }
    self.init(
      kind: kind, instance: instance, label: members["label"]?.text ?? instance,
      availability: Availability(
        state, backend: "mqtt", detail: members["detail"]?.text ?? "",
        remedy: members["remedy"]?.text ?? ""))
  }
}
