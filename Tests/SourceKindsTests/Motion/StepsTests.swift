import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct StepsTests {
  private static let folder = "/sys/bus/iio/devices/iio:device12"
  private let kind = Steps()

  private func harness(_ name: String) throws -> (KindHarness, AlteredFiles) {
    let machine = try machine(named: name)
    let files = AlteredFiles(over: machine.files)
    return (KindHarness(kind, machine: machine.with(files: files)), files)
  }

  @Test func `every file of a counter reaches its own property`() throws {
    let found = try harness("sensors-phone").0.read("mma9553.2-004c")
    let payloads: [String: Value] = [
      "count": .int(1234), "activity": .string("walking"), "acquisition": .string("poll"),
      "driver": .string("mma9553"), "location": .string("unknown"),
      "sampling_frequency": .double(30),
    ]
    for (key, payload) in payloads { #expect(found.payload(key) == payload, "\(key)") }
    #expect(found.status("session_count") == .noData)
    #expect(found.status("label") == .unsupported)
    let several = try harness("sensors-several").0
    #expect(several.names == ["mma9551.4-004c", "mma9551.6-004c"])
    #expect(try several.read("mma9551.6-004c").status("activity") == .unsupported)
  }

  @Test func `a session counts from its start, over a reset of the counter`() throws {
    let (phone, files) = try harness("sensors-phone")
    let instance = try #require(phone.instance("mma9553.2-004c"))
    let reader = try #require(try kind.open(instance, on: phone.machine))
    var reading = Reading(properties: kind.properties.count)
    let count = { (text: String) in
      files.write(text, to: "/sys/bus/iio/devices/iio:device2/in_steps_input")
      reader.read(ReadRequest(scope: .changing, allow: .all), into: &reading)
      kind.derive(&reading)
    }
    let session = { (first: Reading) -> Outcome in
      var own = reading
      kind.adapt(&own, to: SessionFacts(first: first))
      return own[Steps.Field.sessionCount]
    }
    count("1234\n")
    let first = reading
    #expect(kind.adapts(to: SessionFacts(first: first)))
    #expect(!kind.adapts(to: SessionFacts()))
    #expect(session(first).integer == 0)
    count("1240\n")
    #expect(session(first).integer == 6)
    let second = reading
    count("4\n")
    #expect(session(first).integer == 10)
    #expect(session(second).integer == 4)
    count("soon\n")
    #expect(session(first).status == .failed)
    count("2000\n")
    #expect(session(first).integer == 2006)
  }

  @Test func `a session whose first reading failed counts from the first that did not`() throws {
    let (phone, files) = try harness("sensors-phone")
    let path = "/sys/bus/iio/devices/iio:device2/in_steps_input"
    files.alter(path, .failing(11))
    let instance = try #require(phone.instance("mma9553.2-004c"))
    let reader = try #require(try kind.open(instance, on: phone.machine))
    var first = Reading(properties: kind.properties.count)
    let request = ReadRequest(scope: .changing, allow: .all)
    reader.read(request, into: &first)
    #expect(first[Steps.Field.count].status == .noData)
    var reading = first
    for (text, steps) in [("50\n", 0), ("57\n", 7)] as [(String, Int64)] {
      files.write(text, to: path)
      reader.read(request, into: &reading)
      kind.adapt(&reading, to: SessionFacts(first: first))
      #expect(reading[Steps.Field.sessionCount].integer == steps)
    }
  }

  @Test func `P5: a counter that is off is on only while it is read`() throws {
    let (several, files) = try harness("sensors-several")
    let switchPath = "\(Self.folder)/in_steps_en"
    files.answerWriting(switchPath, with: 0)
    let instance = try #require(several.instance("mma9551.4-004c"))
    #expect(try files.text(of: switchPath) == "0\n")
    var reader = try kind.open(instance, on: several.machine)
    #expect(reader != nil)
    #expect(try files.text(of: switchPath) == "1\n")
    reader = nil
    #expect(try files.text(of: switchPath) == "0\n")
    files.write("1\n", to: switchPath)
    reader = try kind.open(instance, on: several.machine)
    reader = nil
    // Switched on by another process: neither switched on nor off by us.
    #expect(try files.text(of: switchPath) == "1\n")
  }

  @Test func `a counter we may not switch on wants permission while it is off`() throws {
    let (several, files) = try harness("sensors-several")
    let switchPath = "\(Self.folder)/in_steps_en"
    files.answerWriting(switchPath, with: 13)
    let found = try several.read("mma9551.4-004c")
    #expect(found.status("count") == .permission)
    #expect(found.status("session_count") == .permission)
    #expect(found["count"]?.absence?.remedy == "give this user write access to \(switchPath)")
    #expect(found["count"]?.absence?.errno == 13)
    files.write("1\n", to: switchPath)
    #expect(try several.read("mma9551.4-004c").payload("count") == .int(7))
  }

  @Test func `A4 a counter we may switch on by now is switched on while it is read`() throws {
    let fixture = try FixtureMachine()
    let (several, files) = try harness("sensors-several")
    let switchPath = "\(Self.folder)/in_steps_en"
    files.answerWriting(switchPath, with: 13)
    let machine = Machine(
      nature: several.machine.nature, files: files, notices: nil, clock: fixture.machine.clock,
      switches: several.machine.switches, addresses: nil,
      iio: IIOAccess(files: files, scans: nil, mayBlock: false))
    let instance = try #require(several.instance("mma9551.4-004c"))
    var reader = try kind.open(instance, on: machine)
    let index = try #require(kind.properties.firstIndex { $0.key == "count" })
    func status() -> ValueStatus? {
      var reading = Reading(properties: kind.properties.count)
      reader?.read(ReadRequest(scope: .changing, allow: .all), into: &reading)
      return reading.outcomes[index].status
    }
    #expect(status() == .permission)
    // The remedy was followed.
    files.answerWriting(switchPath, with: 0)
    #expect(status() == .permission)
    fixture.loop.advance(to: fixture.machine.clock.now.boot + 2_000_000_000)
    #expect(status() == .ok)
    #expect(try files.text(of: switchPath) == "1\n")
    reader = nil
    #expect(try files.text(of: switchPath) == "0\n")
  }

  @Test func `a captured tree is never written, and says what it says`() throws {
    let (several, files) = try harness("sensors-several")
    #expect(try several.read("mma9551.4-004c").payload("count") == .int(7))
    #expect(try files.text(of: "\(Self.folder)/in_steps_en") == "0\n")
  }

  @Test func `V6: what is no count is none, and no confidence is no activity`() throws {
    let found = try harness("sensors-hostile").0.read("iio:device3")
    #expect(found.status("count") == .failed)
    #expect(found.status("session_count") == .failed)
    #expect(found.status("activity") == .noData)
  }

  @Test func `V5, M4: a hostile file changes only its own values`() throws {
    let folder = "/sys/bus/iio/devices/iio:device2"
    var files = [
      "in_steps_input": HostileFile(
        own: ["count"], derived: ["session_count"], decidesInstance: true),
      "in_steps_en": HostileFile(),
      "sampling_frequency": HostileFile(own: ["sampling_frequency"]),
      "\(folder)/name": HostileFile(own: ["driver"]),
      "dev": HostileFile(),
    ]
    for word in Steps.activities {
      files["in_activity_\(word)_input"] = HostileFile(derived: ["activity"])
    }
    try expectOnlyOwnValuesChange(
      kind, on: machine(named: "sensors-phone"), instance: "iio:device2", files: files,
      ignoring: namesOfDevices(besides: 2))
  }
}
