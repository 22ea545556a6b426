import Gathering
import Machine

@testable import SourceKinds
@testable import Values

/// What receivers and their daemon say: each line costs itself at most, and times never fall.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Input(data, count).bytes
  for dialect in [ReceiverLink.Dialect.gpsd, .nmea(device: "/dev/ttyS0")] {
    talk(bytes, in: dialect)
  }
  _ = TimeText.nanoseconds(iso8601: String(decoding: bytes.prefix(64), as: UTF8.self))
  return 0
}

private func talk(_ bytes: [UInt8], in dialect: ReceiverLink.Dialect) {
  var state = LinkState(dialect: dialect)
  guard let generation = state.beginListening() else { return }
  var splitter = LineSplitter(limit: 1024)
  var lines = [
    #"{"class":"VERSION","proto_major":3}"#, #"{"class":"DEVICES","devices":[{"path":"/dev/a"}]}"#,
  ].map { Array($0.utf8) }
  lines += splitter.lines(in: bytes)
  var now: Int64 = 1
  _ = state.handle(.opened, generation, at: now)
  for line in lines {
    now += 20_000_000
    let (answer, _) = state.handle(.line(line), generation, at: now)
    require(answer.patience.map { $0 >= 0 } ?? true, "no wait ends in the past")
    require(state.receivers.count <= LinkState.limit, "there are no more receivers than there are")
    check(state.receivers, at: now)
  }
  _ = state.handle(.silence, generation, at: now + 1_000_000_000)
  check(state.receivers, at: now + 7_000_000_000)
}

private func check(_ receivers: [PositionReceiver], at now: Int64) {
  for receiver in receivers {
    var reading = Reading(properties: GPS.table.count)
    receiver.fill(&reading, provider: "gpsd", at: now)
    for (property, outcome) in zip(GPS.table, reading.outcomes) {
      require(outcome.stamp.map { $0 <= now } ?? true, "nothing comes from the future")
      guard let number = outcome.value.number else { continue }
      require(number.isFinite, "numbers are finite")
      require(property.range?.contains(number) ?? true, "numbers are in their range")
    }
  }
}
