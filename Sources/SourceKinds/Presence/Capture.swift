import Gathering
import Ground
import Machine
import Values

/// Microphones and cameras: whether a program uses them. Nothing is opened.
struct Capture: CatalogueKind {
  enum Field: Int, PropertyField {
    case inUse, since, by, role, evidence, name, driver, builtIn

    var property: Property {
      switch self {
      case .inUse: Property("in_use", .bool, .onChange, category: .activity)
      case .since: Property("since", .time, .onChange, category: .activity)
      case .by: Property("by", .string, .onChange, category: .activity)
      case .role: Property("role", .enumeration(["camera", "microphone"]), .static)
      case .evidence:
        Property("evidence", .enumeration(["stream", "open", "power", "none"]), .onChange)
      case .name: Property("name", .string, .static)
      case .driver: Property("driver", .string, .static)
      case .builtIn: Property("built_in", .bool, .static)
      }
    }
  }

  let kind = "capture"
  let name = "Capture"
  let intervals = Intervals(seconds: 2, minimum: 0.5, eventDriven: true)
  let topics: [ChangeTopic] = [
    .devices(subsystem: "sound"), .devices(subsystem: "video4linux"),
  ]
  let hasAggregate = true
  static let table = Field.properties

  /// What a device that is not used has no other values for.
  static let unused = Outcome.noData("not in use")

  /// The microphones in the order of cards, then the cameras, after the aggregate of all.
  func discover(on machine: Machine) -> Discovery {
    let microphones = ((try? CaptureDevices.all(in: machine.files)) ?? []).map { device in
      Instance(
        device.name, label: device.label.isEmpty ? device.name : device.label,
        aliases: [device.kernelName], availability: Availability(.available, backend: "alsa"),
        path: "\(CaptureDevices.folder)/card\(device.card)/pcm\(device.number)c",
        notes: ["card": "\(device.card)"])
    }
    let found = (microphones + Camera.all(on: machine)).withDistinctNames()
    guard !found.isEmpty else {
      return Discovery(
        [],
        orElse: Availability(
          .noHardware, backend: "alsa",
          detail: "neither \(CaptureDevices.table) nor \(Camera.folder) has a device"))
    }
    let all = Instance.aggregate(Availability(.available), label: "All microphones and cameras")
    return Discovery([all] + found, orElse: all.availability)
  }

  /// Opens none of the devices: their files are read.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    instance.isAggregate ? nil : CaptureReader(instance, on: machine)
  }

  /// One that is used is enough; that none is takes all to be known.
  func combine(_ members: [Reading], into aggregate: inout Reading) {
    let used = members.filter { $0[Field.inUse].flag == true }
    let inUse = members.any(Field.inUse, noMember: "no device")
    let unknown = members.first { $0[Field.inUse].flag == nil }
    aggregate[Field.inUse] =
      used.isEmpty
      ? unknown?[Field.inUse].asMissingInput ?? inUse
      : .ok(.bool(true), lowAccuracy: used.allSatisfy { $0[Field.inUse].isLowAccuracy })
    let speaker = used.first ?? unknown ?? members.first
    aggregate[Field.evidence] = speaker?[Field.evidence] ?? .noData("no device")
    let missing = aggregate[Field.inUse].flag == nil ? aggregate[Field.inUse] : Self.unused
    combineUse(used, orElse: missing, into: &aggregate)
    aggregate[Field.role] = .noData("microphones and cameras")
    for field in [Field.name, .driver, .builtIn] {
      members.setCommon(field, in: &aggregate, noMember: "no device", several: "several devices")
    }
  }

  private func combineUse(
    _ used: [Reading], orElse missing: Outcome, into aggregate: inout Reading
  ) {
    guard !used.isEmpty else {
      aggregate[Field.since] = missing
      aggregate[Field.by] = missing
      return
    }
    let times = used.map { $0[Field.since] }
    let moments = times.compactMap { if case .time(let moment) = $0.value { moment } else { nil } }
    aggregate[Field.since] =
      times.first { $0.status != .ok } ?? .ok(.time(moments.min() ?? 0))
    let words = used.compactMap { $0[Field.by].text }.flatMap { $0.split(separator: " ") }
    aggregate[Field.by] =
      words.isEmpty ? used[0][Field.by] : .ok(.string(words.map(String.init).onceEach))
  }
}

extension [String] {
  /// Each word once, in order, as one text.
  var onceEach: String {
    var known: Set<String> = []
    return filter { known.insert($0).inserted }.joined(separator: " ")
  }
}
