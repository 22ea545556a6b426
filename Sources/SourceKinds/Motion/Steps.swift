import Gathering
import Machine
import Values

/// Steps walked, and how the person is moving.
struct Steps: CatalogueKind {
  enum Field: Int, SensorField {
    case count, sessionCount, activity
    case samplingFrequency, acquisition, driver, label, location

    var property: Property {
      switch self {
      case .count: Property("count", .int, unit: "1", .continuous, .counter)
      case .sessionCount: Property("session_count", .int, unit: "1", .continuous, .derived)
      case .activity: Property("activity", .enumeration(activities), .onChange)
      case .samplingFrequency, .acquisition, .driver, .label, .location: tailProperty
      }
    }
  }

  let kind = "steps"
  let name = "Steps"
  let intervals = Intervals(seconds: 1, minimum: 0.02)
  let topics: [ChangeTopic] = [.devices(subsystem: "iio")]
  static let table = Field.properties

  static let activities = ["still", "walking", "jogging", "running"]

  /// All IIO devices that count steps.
  func discover(on machine: Machine) -> Discovery {
    IIODevice.discover("a step counter", on: machine) { device, _ in
      guard let channel = device.channels("steps").first else { return nil }
      var instance = device.instance()
      // Steps are always polled.
      instance.availability = Availability(.available, backend: "iio")
      return instance.unlessHeld(device.key(of: channel), device, on: machine)
    }
  }

  /// Opens a step counter, which switches it on unless it is on.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    let device = IIODevice(instance.path, on: machine)
    guard let channel = device.channels("steps").first else {
      throw .unavailable(.gone(instance))
    }
    return StepsReader(device, channel, on: machine)
  }

  /// Nothing is counted before a start.
  func derive(_ reading: inout Reading) {
    let count = reading[Field.count]
    reading[Field.sessionCount] =
      count.status == .ok ? .noData("counts from a start on") : count.asMissingInput
  }

  /// A session that has begun.
  func adapts(to session: SessionFacts) -> Bool { session.first != nil }

  /// Counts from the session's first reading on, over resets of the counter, too.
  func adapt(_ reading: inout Reading, to session: SessionFacts) {
    guard let first = session.first, reading[Field.count].status == .ok else { return }
    // The reader's own count goes on where the chip's starts again.
    let counters = reading.counters
    let start = first.counters.first ?? counters.dropFirst().first ?? first[Field.count].integer
    guard let start, let now = counters.first ?? reading[Field.count].integer, now >= start
    else {
      reading[Field.sessionCount] = .noData("the counter has started again")
      return
    }
    reading[Field.sessionCount] = .ok(.int(now - start))
  }
}
