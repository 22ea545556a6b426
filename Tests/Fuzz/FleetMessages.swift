import Ground
import SourceKinds
import Values

@testable import Fleet
@testable import Gathering
@testable import Machine
@testable import Recording

/// What a broker sends to a fleet: messages with a line of `-=-` between them, each a line with the
/// topic, behind which `!` means retained, and the payload.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let messages = messages(in: Input(data, count).bytes)
  for message in messages { check(message) }
  guard let address = try? FleetAddress("mqtt:localhost") else { return 0 }
  let link = FleetLink(address)
  let heard = Monitor<[FleetKey: Int64]>([:])
  for message in messages {
    if let topic = FleetTopic(message.topic, below: "gathered"), let key = FleetKey(topic) {
      listen(to: key, of: link, heard)
    }
    message.payload.withUnsafeBytes {
      link.received(message.topic, $0, isRetained: message.isRetained, on: idle)
    }
    link.state.withLock { $0.goOn(at: 0) }
  }
  let state = link.state.withLock { $0 }
  require(state.devices.count <= messages.count, "a message is about one machine")
  list(link)
  link.close()
  return 0
}

/// A message of a broker.
private struct Message {
  let topic: String
  let isRetained: Bool
  let payload: [UInt8]
}

/// A connection that is not there: who is told of messages does not use it.
nonisolated(unsafe) private let idle: BrokerLink = {
  let address = BrokerAddress(host: "localhost", port: 1)
  let identity = BrokerIdentity(clientID: "fuzz", shortClientID: "fuzz")
  guard let client = try? BrokerClient(address, identity, .v5) else {
    fatalError("libmosquitto1 is not installed")
  }
  return BrokerLink(client, BrokerLimits(version: .v5), isLook: false)
}()

private func messages(in bytes: [UInt8]) -> [Message] {
  var parts: [[UInt8]] = [[]]
  for line in bytes.split(separator: 10, omittingEmptySubsequences: false) {
    if line.elementsEqual("-=-".utf8) {
      parts.append([])
    } else {
      parts[parts.count - 1] += line + [10]
    }
  }
  return parts.prefix(64).map { part in
    let line = part.prefix { $0 != 10 }
    let payload = Array(part.dropFirst(line.count + 1).dropLast())
    let isRetained = line.last == UInt8(ascii: "!")
    let topic = String(decoding: isRetained ? line.dropLast() : line, as: UTF8.self)
    return Message(topic: topic, isRetained: isRetained, payload: mended(payload))
  }
}

/// Blocks with the check sums that they should have: an input is seldom right by chance.
private func mended(_ payload: [UInt8]) -> [UInt8] {
  guard payload.starts(with: Format.marker) else { return payload }
  var (rest, blocks) = (payload[...], [UInt8]())
  while rest.starts(with: Format.marker), rest.count >= Format.blockHeaderSize {
    let fields = Array(rest.prefix(16))
    let length = fields[8..<12].enumerated().reduce(0) { $0 | Int($1.1) << (8 * $1.0) }
    let body = Array(rest.dropFirst(Format.blockHeaderSize).prefix(length))
    let header = fields + littleEndian(BlockHeader.check(of: body))
    blocks += header + littleEndian(BlockHeader.check(of: header)) + body
    rest = rest.dropFirst(Format.blockHeaderSize + length)
  }
  return blocks + rest
}

private func littleEndian(_ number: UInt32) -> [UInt8] {
  (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
}

// MARK: Laws

/// What can be read can be written, and is then the same.
private func check(_ message: Message) {
  if let topic = FleetTopic(message.topic, below: "gathered"),
    topic.refusal(below: "gathered") == nil
  {
    let text = topic.text(below: "gathered")
    require(FleetTopic(text, below: "gathered") == topic, "a topic is read as it was written")
    require(!text.utf8.contains { $0 == 0x23 || $0 == 0x2B }, "a topic has no wildcard")
  }
  if let online = read(message.payload, OnlineMessage.init) {
    require(again(online.dictionary, OnlineMessage.init) == online, "online is as it was")
  }
  if let device = read(message.payload, DeviceMessage.init) {
    require(again(device.dictionary, DeviceMessage.init) == device, "device is as it was")
    let count = device.sources.count + device.streams.count
    require(count <= FleetJSON.sourceLimit, "a machine has no more sources than it may have")
  }
  if let known = read(message.payload, about) {
    let other = again(known.dictionary, about)
    require(other?.series == known.series, "about is as it was")
    let keys = known.series.properties.map(\.key)
    require(Set(keys).count == keys.count, "each property is there once")
  }
  if let state = read(message.payload, StateMessage.init) {
    for entry in state.entries where !entry.sample.status.hasPayload {
      require(entry.sample.value == .none, "what has no payload has no value")
    }
  }
  if let rows = read(message.payload, ReceivedRows.init) {
    require(rows.parts.count <= message.payload.count / 24, "a block has a header")
  }
}

private func about(_ text: UnsafeRawBufferPointer) throws(MessageFault) -> AboutMessage {
  var lists = PropertyLists()
  return try AboutMessage(text, &lists)
}

private func read<Answer>(
  _ payload: [UInt8], _ read: (UnsafeRawBufferPointer) throws(MessageFault) -> Answer
) -> Answer? {
  payload.withUnsafeBytes { (bytes) -> Answer? in try? read(bytes) }
}

private func again<Answer>(
  _ members: ValueDictionary, _ how: (UnsafeRawBufferPointer) throws(MessageFault) -> Answer
) -> Answer? {
  read(members.message, how)
}

/// Listens to a source as a session does: its times never go back.
private func listen(
  to key: FleetKey, of link: FleetLink, _ heard: Monitor<[FleetKey: Int64]>
) {
  let isNew = heard.withLock { $0.updateValue($0[key] ?? .min, forKey: key) == nil }
  guard isNew else { return }
  let own = SourceCatalogue.all.first { $0.kind == key.kind }
  let known = link.state.withLock { $0.devices[key.device]?.abouts[key]?.series.properties }
  let table = known ?? own?.properties ?? [Property("value", .double, .continuous)]
  let stream = FleetStream(key, table: table, history: RowsHistory(), link: link) { block in
    block.receipt?.note()
    heard.withLock { heard in
      // What comes late is for those who record.
      for time in block.times where block.past == .none {
        require(time >= heard[key] ?? .min, "a listener's time never goes back")
        heard[key] = time
      }
    }
    for (index, column) in block.columns {
      require(table.indices.contains(index), "a column is one of the table's")
      guard case .numbers(let numbers, let width) = column else { continue }
      require(numbers.count == width * block.rowCount, "a column has a number a row")
    }
  }
  link.add(stream)
}

/// Finds all sources: each has an id, once.
private func list(_ link: FleetLink) {
  let provider = FleetProvider(link)
  let isOpened =
    (try? Context.open(
      "mqtt:localhost", from: provider, named: .oneOfMany, kinds: provider.kinds([]), allow: .all,
      mode: .host))
  guard let context = isOpened else { return require(false, "a fleet can be opened") }
  let sources = (try? context.sources()) ?? []
  for source in sources {
    let text = source.id.description
    require((try? SourceIdentifier(parsing: text)) == source.id, "an id is read as it was written")
    guard let opened = try? context.open(text) else { continue }
    require(opened.properties.count <= FleetJSON.propertyLimit, "properties are bounded")
  }
  require(Set(sources.map(\.id)).count == sources.count, "a source is there once")
  try? context.close()
}
