import Gathering
import Ground
import Machine
import Values

/// What is known of the use of a device.
struct CaptureUse {
  /// Whether it is used.
  var inUse: Outcome
  /// The word for what that rests on.
  var evidence: String
  /// The names of the programs.
  var programs: [String] = []
  /// Why none is named.
  var unnamed = "the programs of other users are not seen"
  /// The text it came from.
  var raw: RawValue?
}

/// What tells of the use of a device.
protocol CaptureWatch: AnyObject {
  func look(at now: Instant) -> CaptureUse
}

/// Reads one microphone or camera.
final class CaptureReader: InstanceReader {
  private typealias Field = Capture.Field

  private let watch: any CaptureWatch
  private let facts: CaptureFacts
  /// Whether it was used when it was looked at last, and when that was seen to begin.
  private var wasInUse: Bool?
  private var began: Int64?
  private var raws: [Int: RawValue] = [:]

  private static let unasked = Outcome.permission(
    "it would tell the use", remedy: PrivacyCategory.activity.remedy)
  private static let early = Outcome.noData("it began before it was watched")

  init(_ instance: Instance, on machine: Machine) {
    let isCamera = instance.notes["card"] == nil
    watch =
      isCamera
      ? CameraUse(instance, on: machine) : MicrophoneUse(instance.path, in: machine.files)
    facts = CaptureFacts(instance, in: machine.files)
  }

  /// Looking at the descriptors of all processes takes its time.
  var mayBlock: Bool { watch is CameraUse }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    if request.scope == .everything { facts.read(into: &reading) }
    guard request.allow.permits(.activity) else {
      (wasInUse, began, raws) = (nil, nil, [:])
      return reading[Field.evidence] = Self.unasked
    }
    let now = reading.instant
    let use = watch.look(at: now)
    let isInUse = use.inUse.flag
    if isInUse != true { began = nil }
    if isInUse == true, wasInUse == false { began = now.realtime }
    wasInUse = isInUse
    reading[Field.inUse] = use.inUse
    reading[Field.evidence] = .ok(.string(use.evidence))
    guard isInUse == true else {
      let missing = isInUse == false ? Capture.unused : use.inUse.asMissingInput
      reading[Field.since] = missing
      reading[Field.by] = missing
      return raws[Field.inUse.rawValue] = use.raw
    }
    reading[Field.since] = began.map { .ok(.time($0)) } ?? Self.early
    reading[Field.by] =
      use.programs.isEmpty ? .noData(use.unnamed) : .ok(.string(use.programs.onceEach))
    raws[Field.inUse.rawValue] = use.raw
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { raws[index] ?? facts.raw(index) }
}

/// What does not change of a device.
final class CaptureFacts {
  private typealias Field = Capture.Field

  private let isCamera: Bool
  private let name: ParsedFile?
  private let cardName: (outcome: Outcome, raw: RawValue?)?
  private let driver: Outcome
  private let removable: ParsedFile?

  init(_ instance: Instance, in files: any FileTree) {
    let card = instance.notes["card"]
    isCamera = card == nil
    let device = card.map { "/sys/class/sound/card\($0)/device" } ?? "\(instance.path)/device"
    name = isCamera ? ParsedFile("\(instance.path)/name", .text, in: files) : nil
    cardName = card.map { CaptureDevices.cardName($0, in: files) }
    let link = "\(device)/driver"
    do throws(SystemError) {
      let target = try files.linkTarget(of: link)
      let word = target.split(separator: "/").last.map(String.init) ?? ""
      driver = word.isEmpty ? .noData("empty text") : .ok(.string(word))
    } catch {
      driver = .from(error)
    }
    removable = UsbDevice.folder(of: device, in: files).map {
      ParsedFile("\($0)/removable", Self.fixed, in: files)
    }
  }

  private static let fixed = TextRule { text in
    switch text.lenientText {
    case "fixed": .ok(.bool(true))
    case "removable": .ok(.bool(false))
    case "unknown": .noData("reported as unknown")
    default: .unparsable(text)
    }
  }

  func read(into reading: inout Reading) {
    reading[Field.role] = .ok(.string(isCamera ? "camera" : "microphone"))
    reading[Field.name] = name?.read() ?? cardName?.outcome ?? .notRead
    reading[Field.driver] = driver
    reading[Field.builtIn] = removable?.read() ?? .unsupported("only USB devices tell")
  }

  func raw(_ index: Int) -> RawValue? {
    switch Field(rawValue: index) {
    case .name: name?.raw ?? cardName?.raw
    case .builtIn: removable?.raw
    default: nil
    }
  }
}

/// The device that a USB interface is a part of.
enum UsbDevice {
  /// Its folder without links; nil for what is not on USB.
  static func folder(of device: String, in files: any FileTree) -> String? {
    guard PersistentPath.of(device, in: files)?.hasPrefix("usb-") == true,
      let path = try? files.canonicalPath(of: device)
    else { return nil }
    var parts = path.split(separator: "/")
    if parts.count > 2, parts[parts.count - 2] == "sound" { parts.removeLast(2) }
    if parts.last?.utf8.contains(UInt8(ascii: ":")) == true { parts.removeLast() }
    return "/" + parts.joined(separator: "/")
  }
}
