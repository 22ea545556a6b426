import CGatheredKit
import Fleet
import Gathering
import Recording
import Values

extension SinkObject {
  /// A sink of the format `mqtt`.
  static func publishing(
    to target: String, _ options: OpaquePointer?, of owner: ContextObject
  ) throws -> SinkObject {
    var members = try Options(options, of: "a sink of format mqtt")
    let settings = try PublisherOptions(&members)
    let name = try members.text("name")
    try members.finish()
    let address = try FleetAddress(target)
    try SinkName.check(name, in: owner.context)
    let recorder = try Recorder.publishing(to: address, from: owner.context, options: settings)
    let claimed = try SinkName.claim(name, in: owner.context) { recorder }
    return SinkObject(recorder, format: "mqtt", named: claimed, of: owner)
  }
}

extension PublisherOptions {
  /// What C asks for.
  fileprivate init(_ options: inout Options) throws {
    self.init()
    device = try options.text("device")
    if let text = try options.text("allow") { allow = try Allowance(parsing: text) }
    if let word = try options.text("rows") {
      guard let rows = Rows(rawValue: word) else {
        throw options.wrong("rows", "auto, always or never")
      }
      self.rows = rows
    }
    stateInterval = try options.count("state_interval_ns") ?? stateInterval
    heartbeat = try options.count("heartbeat_ns") ?? heartbeat
    batchInterval = try options.count("batch_interval_ns") ?? batchInterval
    batchBytes = try options.count("batch_bytes").map { Int(clamping: $0) } ?? batchBytes
    memoryLimit = try options.count("memory_limit").map { Int(clamping: $0) } ?? memoryLimit
    qos = try options.count("qos").map { Int32(clamping: $0) } ?? qos
    discovery = try options.text("discovery") ?? discovery
    spool = try options.text("spool")
    spoolBytes = try options.count("spool_bytes").map { Int(clamping: $0) } ?? spoolBytes
    drainRate = try options.count("drain_rate") ?? drainRate
  }
}

extension SinkInformation {
  /// As `gkit_sink_get_info()` gives it: members that do not apply are absent.
  func dictionary(format: String, target: String) -> ValueDictionary {
    var members: ValueDictionary = [
      "format": .string(format), "target": .string(target), "state": .string(state.rawValue),
    ]
    if let failure {
      if case .unavailable(let availability) = failure {
        members["reason"] = .string(availability.reason)
        members["remedy"] = .string(availability.remedy)
      } else {
        members["reason"] = .string(failure.message)
      }
      if failure.errno != 0 { members["errno"] = .int(Int64(failure.errno)) }
    }
    let counts: [(String, UInt64?)] = [
      ("rows_taken", rowsTaken), ("rows_sent", rowsSent), ("rows_acknowledged", rowsAcknowledged),
      ("rows_lost", rowsLost), ("bytes_sent", bytesSent), ("messages_sent", messagesSent),
      ("spooled_rows", spooledRows), ("spooled_bytes", spooledBytes), ("connections", connections),
    ]
    for (name, count) in counts { members[name] = count.map { .int(Int64(clamping: $0)) } }
    members["connected_since"] = connectedSince.map(Value.time)
    return members
  }
}
