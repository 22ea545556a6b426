import GatheredKitTesting
import Machine
import Testing
import Values

@testable import Gathering

/// What each verb does to values, as a context reads them (sources 15, 17).
struct SimulatedValueTests {
  @Test func `before anything is set all values are noData, with a reason`() throws {
    let reading = try SimulatedDevice("0 add gauge|g1").read("g1")
    #expect(reading.outcomes.allSatisfy { $0.status == .noData && $0.absence?.reason != "" })
    #expect(reading.scripted.isEmpty)
  }

  @Test func `lines at 0 have acted when the device exists`() throws {
    let device = try SimulatedDevice("0 add gauge|g1\n0 set gauge|g1/level 0.5")
    #expect(try device.outcome("level") == .ok(.double(0.5)))
  }

  @Test func `set replaces payload, absence and error`() throws {
    let device = try SimulatedDevice(
      "0 add gauge|g1\n0 set gauge|g1/level 1\n1 absent gauge|g1/level unsupported no such part\n"
        + "2 set gauge|g1/level 2\n3 error gauge|g1/level 5\n4 set gauge|g1/level 3")
    device.advance(to: 1)
    let absent = try device.outcome("level")
    #expect(absent.status == .unsupported)
    #expect(absent.absence?.reason == "no such part")
    device.advance(to: 2)
    #expect(try device.outcome("level") == .ok(.double(2)))
    device.advance(to: 3)
    #expect(try device.outcome("level").status == .failed)
    device.advance(to: 4)
    #expect(try device.outcome("level") == .ok(.double(3)))
  }

  @Test(arguments: ["noData", "permission", "unsupported", "error"])
  func `absent takes the payload and gives a status and a reason`(word: String) throws {
    let device = try SimulatedDevice(
      "0 add gauge|g1\n0 set gauge|g1/level 1\n0 absent gauge|g1/level \(word)")
    let outcome = try device.outcome("level")
    #expect(outcome.status.word == word)
    #expect(outcome.value == .none)
    #expect(outcome.absence?.reason.isEmpty == false)
    // V5: what is not permitted has a remedy.
    #expect((outcome.absence?.remedy.isEmpty == false) == (word == "permission"))
  }

  @Test func `stale keeps the last payload, of a wave too`() throws {
    let device = try SimulatedDevice(
      "0 add gauge|g1\n0 set gauge|g1/level 5\n0 wave gauge|g1/level ramp 1 0.1\n"
        + "2.5 absent gauge|g1/level stale old news")
    device.advance(to: 4)
    let outcome = try device.outcome("level")
    #expect(outcome.status == .stale)
    #expect(outcome.value == .double(4.5))
    #expect(outcome.absence?.reason == "old news")
  }

  @Test func `stale without a payload before it is noData`() throws {
    let device = try SimulatedDevice("0 add gauge|g1\n0 absent gauge|g1/level stale")
    #expect(try device.outcome("level").status == .noData)
  }

  @Test func `V5: error costs one property and no neighbour, clear mends it`() throws {
    let device = try SimulatedDevice(
      "0 add gauge|g1\n0 set gauge|g1/level 1\n0 set gauge|g1/count 2\n"
        + "1 error gauge|g1/level 5\n2 clear gauge|g1/level")
    device.advance(to: 1)
    let outcome = try device.outcome("level")
    #expect(outcome.status == .failed)
    #expect(outcome.absence?.errno == 5)
    #expect(try device.outcome("count") == .ok(.int(2)))
    device.advance(to: 2)
    #expect(try device.outcome("level") == .ok(.double(1)))
  }

  private static let failures: [(Int32, ValueStatus)] = [
    (2, .unsupported), (38, .unsupported), (95, .unsupported), (1, .permission),
    (13, .permission), (19, .noData), (61, .noData), (11, .noData), (16, .failed), (5, .failed),
    (110, .failed), (21, .failed), (22, .failed),
  ]

  @Test(arguments: failures)
  func `E3: an error is what a file would be that is read with it`(
    errno: Int32, status: ValueStatus
  ) throws {
    let path = "/sys/level"
    let fixture = try FixtureMachine([path: "1\n"])
    fixture.files.fail(path, with: errno)
    let file = Outcome(reading: PolledFile(path, in: fixture.machine.files), .text)
    let device = try SimulatedDevice(
      "0 add gauge|g1\n0 set gauge|g1/level 1\n0 error gauge|g1/level \(errno)")
    let outcome = try device.outcome("level")
    #expect(outcome.status == status && file.status == status)
    // The property's id is in the place of the path.
    func ours(_ text: String?) -> String? {
      text?.split(separator: path, omittingEmptySubsequences: false)
        .joined(separator: "gauge|g1/level")
    }
    #expect(outcome.absence?.reason == ours(file.absence?.reason))
    #expect(outcome.absence?.remedy == ours(file.absence?.remedy))
    #expect(outcome.absence?.errno == errno && !outcome.hasPayload)
  }

  @Test func `L9: fault makes every changing value fail with its errno until clear`() throws {
    let device = try SimulatedDevice(
      "0 add gauge|g1\n0 set gauge|g1/level 1\n0 set gauge|g1/model \"m\"\n"
        + "0 absent gauge|g1/count unsupported none\n1 fault gauge|g1 110\n"
        + "2 set gauge|g1/level 2\n3 clear gauge|g1")
    for moment in [1.0, 2] {
      device.advance(to: moment)
      let reading = try device.read("g1")
      for (property, outcome) in zip(Gauge().properties, reading.outcomes)
      where property.mode != .static {
        #expect(outcome.status == .failed, "\(property.key)")
        #expect(outcome.absence?.errno == 110, "\(property.key)")
      }
      #expect(reading[7] == .ok(.string("m")))
    }
    device.advance(to: 3)
    #expect(try device.outcome("level") == .ok(.double(2)))
    #expect(try device.outcome("count").status == .unsupported)
  }

  @Test func `clear of an instance mends all its errors`() throws {
    let device = try SimulatedDevice(
      "0 add gauge|g1\n0 set gauge|g1/level 1\n0 error gauge|g1/level 5\n0 error gauge|g1/on 5\n"
        + "1 clear gauge|g1")
    device.advance(to: 1)
    #expect(try device.outcome("level") == .ok(.double(1)))
    #expect(try device.outcome("on").status == .noData)
  }

  @Test func `derived values follow the rule unless the script sets them`() throws {
    let device = try SimulatedDevice(
      "0 add gauge|g1\n0 set gauge|g1/level 4\n1 set gauge|g1/double_level 7\n"
        + "2 absent gauge|g1/double_level unsupported none")
    #expect(try device.outcome("double_level") == .ok(.double(8)))
    device.advance(to: 1)
    #expect(try device.outcome("double_level") == .ok(.double(7)))
    device.advance(to: 2)
    #expect(try device.outcome("double_level").status == .unsupported)
  }

  @Test func `an aggregate is computed from its members unless the script sets it`() throws {
    let device = try SimulatedDevice(
      "0 add gauge|g1\n0 add gauge|g2\n0 set gauge|g1/level 1\n0 set gauge|g2/level 2\n"
        + "1 set gauge|aggregate/level 10\n2 error gauge|aggregate/level 5\n"
        + "3 fault gauge|aggregate 6\n4 clear gauge|aggregate")
    #expect(try device.outcome("level", of: "aggregate") == .ok(.double(3)))
    #expect(try device.outcome("double_level", of: "aggregate") == .ok(.double(6)))
    device.advance(to: 1)
    #expect(try device.outcome("level", of: "aggregate") == .ok(.double(10)))
    device.advance(to: 2)
    #expect(try device.outcome("level", of: "aggregate").absence?.errno == 5)
    device.advance(to: 3)
    #expect(try device.outcome("double_level", of: "aggregate").absence?.errno == 6)
    #expect(try device.outcome("level", of: "g1") == .ok(.double(1)))
    device.advance(to: 4)
    #expect(try device.outcome("level", of: "aggregate") == .ok(.double(10)))
  }

  @Test func `a member that cannot be read costs the aggregate its share only`() throws {
    let device = try SimulatedDevice(
      "0 add gauge|g1\n0 add gauge|g2\n0 set gauge|g1/level 1\n0 set gauge|g2/level 2\n"
        + "0 set gauge|g2/model \"m\"\n1 availability gauge|g2 poweredOff\n"
        + "2 availability gauge|g2 available")
    let reader = try device.reader("aggregate")
    var reading = Reading(properties: Gauge().properties.count)
    let levels = [0.0, 1, 2].map { moment in
      device.advance(to: moment)
      reader.read(ReadRequest(scope: .changing, allow: .all), into: &reading)
      return reading[0].value.number
    }
    #expect(levels == [3, 1, 3])
  }

  @Test func `P1: nothing personal is read that is not allowed`() throws {
    let device = try SimulatedDevice("0 add gauge|g1\n0 set gauge|g1/owner \"Ada\"")
    #expect(try device.read("g1", allow: .none)[8] == .notRead)
    #expect(try device.read("g1", allow: .all)[8] == .ok(.string("Ada")))
  }

  @Test func `static values are read at claim, not at ticks`() throws {
    let device = try SimulatedDevice(
      "0 add gauge|g1\n0 set gauge|g1/model \"a\"\n1 set gauge|g1/model \"b\"")
    let reader = try device.reader("g1")
    var reading = Reading(properties: Gauge().properties.count)
    reader.read(ReadRequest(scope: .everything, allow: .all), into: &reading)
    device.advance(to: 1)
    reader.read(ReadRequest(scope: .changing, allow: .all), into: &reading)
    #expect(reading[7] == .ok(.string("a")))
    reader.read(ReadRequest(scope: .everything, allow: .all), into: &reading)
    #expect(reading[7] == .ok(.string("b")))
  }

  @Test func `V3: the raw payload names its script line`() throws {
    let device = try SimulatedDevice(
      "# first\n0 add gauge|g1\n0 set gauge|g1/place 1,2,3\n0 set gauge|g1/model \"m\"")
    let reader = try device.reader("g1")
    #expect(reader.raw(ofPropertyAt: 3) == RawValue("1.0,2.0,3.0".utf8, place: "script line 3"))
    #expect(reader.raw(ofPropertyAt: 7) == RawValue("m".utf8, place: "script line 4"))
    #expect(reader.raw(ofPropertyAt: 0) == nil)
  }

  @Test func `time counts from opening, whenever that is`() throws {
    let device = try SimulatedDevice(
      "0 add gauge|g1\n0 wave gauge|g1/level ramp 1 0.5\n3 set gauge|g1/level 9",
      openedAt: 100_000_000_000)
    device.advance(to: 101)
    #expect(try device.outcome("level") == .ok(.double(0)))
    device.advance(to: 103)
    #expect(try device.outcome("level") == .ok(.double(9)))
  }
}
