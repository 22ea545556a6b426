import Ground
import Machine
import Testing
import Values

@testable import Gathering

/// Properties that follow the motion of a built-in device, and what scripts can do to them.
struct SimulatedSensorTests {
  /// A kind with something that moves.
  private struct Mover: SourceKind {
    let kind = "mover"
    let name = "Mover"
    let intervals = Intervals(seconds: 1, minimum: 0.5)
    let properties = [
      Property(
        "rotation_rate", .vector(components: ["x", "y", "z"]), unit: "rad/s", .continuous),
      Property("roll", .double, unit: "rad", .continuous),
      Property("count", .int, unit: "1", .continuous),
    ]

    func discover(on machine: Machine) -> Discovery {
      Discovery([], orElse: Availability(.failed))
    }

    func open(
      _ instance: Instance, on machine: Machine
    ) throws(SourceError) -> (any InstanceReader)? { nil }
  }

  private static let opening: Int64 = 5_000_000_000

  private static func script(
    _ text: String, origin: Script.Origin = .library
  ) throws -> Script {
    try Script(parsing: text.utf8, catalogue: [Mover()], origin: origin)
  }

  /// The roll at some seconds after opening, when more lines follow.
  private static func rolls(_ lines: String, at moments: [Double]) throws -> [Outcome] {
    let loop = VirtualLoop(clock: VirtualTime(at: opening))
    let provider = SimulationProvider(
      try script("0 add mover|m\n0 set mover|m/roll motion 35\n" + lines), catalogue: [Mover()],
      loop: loop)
    let instance = try #require(provider.discover(Mover()).instances.first)
    let reader = try #require(try provider.claim(instance, of: Mover()))
    return moments.map { moment in
      loop.advance(to: opening + Int64(moment * 1e9))
      var reading = Reading(properties: 3)
      reader.read(ReadRequest(scope: .everything, allow: .all), into: &reading)
      return reading[1]
    }
  }

  private static func truth(at seconds: Double) -> Double {
    SimulatedMotion(incline: 35 * .pi / 180).angles(at: seconds).roll
  }

  @Test func `the motion is a function of the time a sample carries`() throws {
    let outcomes = try Self.rolls("", at: [0, 1.5, 60])
    for (outcome, moment) in zip(outcomes, [0, 1.5, 60.0]) {
      #expect(outcome.value == .double(Self.truth(at: 5 + moment)))
      #expect(outcome.stamp == Self.opening + Int64(moment * 1e9))
    }
  }

  @Test func `set ends it`() throws {
    let outcomes = try Self.rolls("1 set mover|m/roll 0.25", at: [0.5, 1])
    #expect(outcomes[0].value == .double(Self.truth(at: 5.5)))
    #expect(outcomes[1] == .ok(.double(0.25)))
  }

  @Test func `a wave is added to it, until cleared`() throws {
    let outcomes = try Self.rolls(
      "1 wave mover|m/roll ramp 1 0.25\n4 clear mover|m/roll", at: [2, 3, 5])
    let numbers = try outcomes.map { try #require($0.value.number) }
    #expect(abs(numbers[0] - (Self.truth(at: 7) - 0.5)) < 1e-12)
    #expect(abs(numbers[1] - Self.truth(at: 8)) < 1e-12)
    #expect(numbers[2] == Self.truth(at: 10))
  }

  @Test func `absent hides it and error fails it; clear brings it back`() throws {
    let outcomes = try Self.rolls(
      """
      1 absent mover|m/roll noData covered
      2 clear mover|m/roll
      3 error mover|m/roll 5
      4 clear mover|m
      5 absent mover|m/roll stale
      """, at: [1, 2, 3, 4, 6])
    #expect(outcomes[0] == .noData("covered"))
    #expect(outcomes[1].value == .double(Self.truth(at: 7)))
    #expect(outcomes[2].absence?.errno == 5)
    #expect(outcomes[3].value == .double(Self.truth(at: 9)))
    #expect(outcomes[4].status == .stale)
    #expect(outcomes[4].value == .double(Self.truth(at: 10)))
  }

  @Test func `users' scripts have no such word`() throws {
    #expect(throws: SourceError.parse("line 2: \"motion 35\" is not a number")) {
      try Self.script("0 add mover|m\n0 set mover|m/roll motion 35", origin: .user)
    }
  }

  @Test(arguments: ["count motion 35", "roll motion", "roll motion x", "roll motion 1 2"])
  func `what does not move, and an incline that is no number, are refused`(line: String) {
    #expect(throws: SourceError.self) {
      try Self.script("0 add mover|m\n0 set mover|m/\(line)")
    }
  }
}
