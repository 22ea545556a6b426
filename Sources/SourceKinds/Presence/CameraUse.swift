import Gathering
import Ground
import Machine
import Values

/// Tells whether a camera is used: by the power of its device, and by who has its node open.
final class CameraUse: CaptureWatch {
  private enum Power {
    case asleep
    /// Whether nothing else would keep it awake.
    case awake(forUs: Bool)
    case unknown
  }

  private let path: String
  private let node: String
  private let machine: Machine
  private let files: any FileTree
  /// The folders whose power is the camera's: its USB device, or the sensors.
  private let devices: [String]
  private let isUsb: Bool
  private var states: [PolledFile]
  private var walk: (at: Int64, found: OpenDescriptors)?

  /// How long it counts who has the node open.
  private static let pause: Int64 = 2_000_000_000

  init(_ instance: Instance, on machine: Machine) {
    path = instance.path
    node = instance.notes["node"] ?? ""
    self.machine = machine
    files = machine.files
    let usb = UsbDevice.folder(of: "\(path)/device", in: machine.files)
    isUsb = usb != nil
    devices = usb.map { [$0] } ?? Self.sensors(in: machine.files)
    states = devices.map { PolledFile("\($0)/power/runtime_status", in: machine.files) }
  }

  /// The image sensors, which hang on I²C.
  private static func sensors(in files: any FileTree) -> [String] {
    let nodes = ((try? files.entries(of: Camera.folder)) ?? []).filter {
      $0.hasPrefix("v4l-subdev")
    }
    return nodes.sorted(by: NaturalOrder.areInIncreasingOrder).compactMap { node in
      let path = try? files.canonicalPath(of: "\(Camera.folder)/\(node)/device")
      return path?.has(part: "/i2c-") == true ? path : nil
    }
  }

  func look(at now: Instant) -> CaptureUse {
    let power = power()
    let raw = states.first?.lastRaw
    if case .asleep = power {
      return CaptureUse(inUse: .ok(.bool(false)), evidence: "power", raw: raw)
    }
    let open = holders(at: now)
    if !open.programs.isEmpty {
      return CaptureUse(
        inUse: .ok(.bool(true)), evidence: "open", programs: open.programs, raw: raw)
    }
    if open.isComplete {
      return CaptureUse(inUse: .ok(.bool(false)), evidence: "open", raw: raw)
    }
    switch power {
    case .awake(forUs: true):
      return CaptureUse(inUse: .ok(.bool(true), lowAccuracy: true), evidence: "power", raw: raw)
    case .awake, .asleep:
      return CaptureUse(
        inUse: .noData("awake, perhaps for another reason"), evidence: "none", raw: raw)
    case .unknown:
      return CaptureUse(
        inUse: .noData("the programs of other users are not seen"), evidence: "none", raw: raw)
    }
  }

  // MARK: Power

  /// Asleep only if all that could capture is.
  private func power() -> Power {
    var words: [String] = []
    for state in states {
      guard let word = Outcome(reading: state, .text).text else { return .unknown }
      words.append(word)
    }
    if words.isEmpty { return .unknown }
    if words.allSatisfy({ $0 == "suspended" }) { return .asleep }
    guard words.allSatisfy({ ["active", "suspended"].contains($0) }) else {
      let isMoving = words.contains { $0 == "suspending" || $0 == "resuming" }
      return isMoving ? .awake(forUs: false) : .unknown
    }
    return .awake(forUs: words.count == 1 && sleepsByItself && (!isUsb || areOthersIdle))
  }

  /// Whether the kernel would let the device sleep.
  private var sleepsByItself: Bool {
    let file = PolledFile("\(devices[0])/power/control", in: files)
    return Outcome(reading: file, .text).text == "auto"
  }

  /// Whether no other function of the USB device is used: a second camera cannot be known, nor can
  /// what other drivers do.
  private var areOthersIdle: Bool {
    guard let own = try? files.canonicalPath(of: "\(path)/device"),
      let entries = try? files.entries(of: devices[0])
    else { return false }
    let driver = driver(of: own)
    for name in entries where name.utf8.contains(UInt8(ascii: ":")) {
      let interface = "\(devices[0])/\(name)"
      if interface == own { continue }
      if (try? files.entries(of: "\(interface)/video4linux"))?.isEmpty == false { return false }
      let cards = ((try? files.entries(of: "\(interface)/sound")) ?? []).filter {
        $0.hasPrefix("card")
      }
      if !cards.allSatisfy(isClosed) { return false }
      guard let other = self.driver(of: interface), other != driver else { continue }
      if other != "snd-usb-audio" { return false }
    }
    return true
  }

  private func driver(of interface: String) -> String? {
    let target = try? files.linkTarget(of: "\(interface)/driver")
    return target?.split(separator: "/").last.map(String.init)
  }

  /// Whether no program has a device of a sound card open.
  private func isClosed(_ card: String) -> Bool {
    let folder = "\(CaptureDevices.folder)/\(card)"
    guard let entries = try? files.entries(of: folder) else { return false }
    for device in entries where device.hasPrefix("pcm") {
      let substreams = ((try? files.entries(of: "\(folder)/\(device)")) ?? [])
      for name in substreams where name.hasPrefix("sub") {
        let file = PolledFile("\(folder)/\(device)/\(name)/status", in: files)
        guard let text = try? file.read(), text.trimmed.equals("closed") else { return false }
      }
    }
    return true
  }

  // MARK: Descriptors

  private func holders(at now: Instant) -> OpenDescriptors {
    // A captured tree has no processes, and a copy of this machine is to have none.
    if machine.nature != .live { return OpenDescriptors() }
    if let walk, now.boot >= walk.at, now.boot - walk.at < Self.pause { return walk.found }
    let found = OpenDescriptors(of: node, in: files)
    walk = (now.boot, found)
    return found
  }
}

/// Who has a file open, as far as this process may see it.
struct OpenDescriptors {
  /// The names of the programs.
  private(set) var programs: [String] = []
  /// Whether all processes of the machine were seen.
  private(set) var isComplete = false

  /// The most descriptors that are looked at.
  static let limit = 65_536
  /// The first process's name space, which has all processes.
  private static let whole = "pid:[4026531836]"

  init() {}

  init(of file: String, in files: any FileTree) {
    let processes = ((try? files.entries(of: "/proc")) ?? []).filter {
      $0.allSatisfy(\.isDecimalDigit)
    }
    // Where others are hidden, the first one is not seen.
    isComplete =
      processes.contains("1") && (try? files.linkTarget(of: "/proc/self/ns/pid")) == Self.whole
    var rest = Self.limit
    for process in processes {
      let folder = "/proc/\(process)/fd"
      do throws(SystemError) {
        let names = try files.entries(of: folder)
        rest -= names.count
        if rest < 0 {
          isComplete = false
          return
        }
        let holds = names.contains { (try? files.linkTarget(of: "\(folder)/\($0)")) == file }
        if holds, let number = Int64(process) {
          programs.append(Programs.name(of: number, in: files) ?? process)
        }
      } catch {
        let isGone = error.code == SystemText.noEntry || error.code == SystemText.noProcess
        if !isGone { isComplete = false }
      }
    }
  }
}
