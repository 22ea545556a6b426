import GatheredKitTesting
import Gathering
import Ground
import Testing
import Values

@testable import SourceKinds

/// Values that count from a session's own start.
@Suite struct SessionStartTests {
  private let folder = "/sys/bus/iio/devices/iio:device0"

  private func open(
    _ kind: any SourceKind, _ files: [String: String]
  ) throws -> (fixture: FixtureMachine, context: Context, source: Source) {
    let named = files.reduce(into: [:]) { $0["\(folder)/\($1.key)"] = $1.value }
    let fixture = try FixtureMachine(named)
    let context = try Context.open(on: fixture.machine, loop: fixture.loop, catalogue: [kind])
    return (fixture, context, try context.open(kind.kind))
  }

  @Test func `4.3 L13 the relative altitude begins at 0 at each start`() throws {
    let (fixture, context, source) = try open(
      Altimeter(), ["name": "bmp280\n", "in_pressure_input": "100.0\n"])
    try source.updateValuesInPlace()
    #expect(source.value("relative_altitude").status == .noData)
    try source.startUpdating(every: second)
    #expect(source.value("relative_altitude").payload == .double(0))
    try fixture.write("89.8746\n", to: "\(folder)/in_pressure_input")
    try context.seek(to: second)
    let rise = try #require(source.value("relative_altitude").payload?.number)
    #expect(abs(rise - 889.112) < 0.002)
    try source.stopUpdating()
    try source.startUpdating(every: second)
    #expect(source.value("relative_altitude").payload == .double(0))
  }

  @Test func `4.3 a start without a pressure counts from the first one that comes`() throws {
    let (fixture, context, source) = try open(
      Altimeter(), ["name": "bmp280\n", "in_pressure_input": "\n"])
    try source.startUpdating(every: second)
    #expect(source.value("relative_altitude").status == .noData)
    for pressure in ["100.0\n", "89.8746\n"] {
      try fixture.write(pressure, to: "\(folder)/in_pressure_input")
      try context.seek(to: context.now.boot + second)
    }
    let rise = try #require(source.value("relative_altitude").payload?.number)
    #expect(abs(rise - 889.112) < 0.002)
  }

  @Test func `5.8 a session counts its own steps, over a counter that starts again, too`() throws {
    let (fixture, context, source) = try open(
      Steps(), ["name": "dummy\n", "in_steps_input": "1000\n"])
    try source.startUpdating(every: second)
    #expect(source.value("session_count").payload == .int(0))
    for (position, (count, steps)) in [("1042", 42), ("8", 50), ("10", 52)].enumerated() {
      try fixture.write("\(count)\n", to: "\(folder)/in_steps_input")
      try context.seek(to: Int64(position + 1) * second)
      #expect(source.value("session_count").payload == .int(Int64(steps)))
    }
  }
}
