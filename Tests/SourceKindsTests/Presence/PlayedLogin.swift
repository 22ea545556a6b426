import GatheredKitTesting
import Gathering
import Glibc
import Machine
import Values

@testable import SourceKinds

/// logind as a test plays it on a bus of its own.
struct PlayedLogin {
  static let name = "org.freedesktop.login1"
  static let manager = "\(name).Manager"
  static let root = "/org/freedesktop/login1"

  let bus = FixtureBus()
  let fixture: FixtureMachine

  init(nature: Machine.Nature = .captured) throws {
    fixture = try FixtureMachine(nature: nature, bus: bus)
  }

  /// Runs it with seats, each with its active session or none, and sessions by number.
  func run(
    seats: [String: String?] = ["seat0": "2"], sessions: [String: [String: BusValue]] = [:]
  ) {
    bus.run(Self.name, Self.objects(seats: seats, sessions: sessions))
    // What is asked anew: tests with a text session have one.
    let text = sessions.values.first { $0["Type"] == .string("tty") }
    let pairs = Self.desktop.merging(text ?? [:]) { $1 }.map {
      BusPair(.string($0.key), .variant($0.value))
    }
    bus.answer("GetAll", with: .success([.dictionary(of: "sv", pairs)]))
  }

  static func objects(
    seats: [String: String?], sessions: [String: [String: BusValue]]
  ) -> [String: BusObject] {
    var objects = [root: BusObject([manager: calm])]
    for (seat, active) in seats {
      objects[path(seat: seat)] = BusObject([
        LoginSeats.seat: ["Id": .string(seat), "ActiveSession": reference(active)]
      ])
    }
    for (number, properties) in sessions {
      objects[path(session: number)] = BusObject([
        LoginSeats.session: desktop.merging(properties) { $1 }
      ])
    }
    return objects
  }

  static func path(seat: String) -> String { "\(root)/seat/\(seat)" }
  static func path(session: String) -> String { "\(root)/session/_3\(session)" }

  static func reference(_ session: String?) -> BusValue {
    .structure([.string(session ?? ""), .path(session.map(path(session:)) ?? "/")])
  }

  static func seat(_ name: String?) -> BusValue {
    .structure([.string(name ?? ""), .path(name.map(path(seat:)) ?? "/")])
  }

  static let calm: [String: BusValue] = [
    "PreparingForSleep": .bool(false), "PreparingForShutdown": .bool(false),
    "BlockInhibited": .string("handle-lid-switch:sleep"),
  ]

  /// A session of GNOME's that has been used for an hour.
  static let desktop: [String: BusValue] = [
    "Class": .string("user"), "State": .string("active"), "Seat": seat("seat0"),
    "Type": .string("wayland"), "Desktop": .string("GNOME"), "Name": .string("ada"),
    "Timestamp": .uint64(1_700_000_000_000_000), "IdleHint": .bool(false),
    "IdleSinceHint": .uint64(1_700_000_100_000_000), "IdleSinceHintMonotonic": .uint64(100_000_000),
    "LockedHint": .bool(false),
  ]

  /// The clock of the hints, in nanoseconds.
  static var monotonic: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  static let never: [String: BusValue] = [
    "IdleSinceHint": .uint64(0), "IdleSinceHintMonotonic": .uint64(0),
  ]

  func read(_ instance: String, allow: Allowance = .all) throws -> [String: Outcome] {
    try KindHarness(Session(), machine: fixture.machine, allow: allow).read(instance)
  }
}
