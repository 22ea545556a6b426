import CLinux
import Glibc
import Ground

/// This computer's graphics cards through libdrm.
struct LibdrmDisplays: DisplayOpener {
  func open(card: String) throws(SystemError) -> any DisplayCard {
    let drm = try Libdrm.table()
    // Opening a card that sleeps would wake it (sources K2).
    let status = PolledFile(
      "/sys/class/drm/\(card)/device/power/runtime_status", in: RootedFileTree.live)
    if let text = try? status.read(), text.starts(with: "suspend".utf8) {
      throw SystemError(EAGAIN, at: card)
    }
    return try LibdrmCard("/dev/dri/\(card)", drm)
  }
}

/// A card that is open, and not ours: mastership is dropped at once.
private final class LibdrmCard: DisplayCard {
  private let drm: clinux_display
  private let path: String
  private let card: Descriptor
  /// The numbers of connectors by their names.
  private var numbers: [String: UInt32] = [:]

  init(_ path: String, _ drm: clinux_display) throws(SystemError) {
    let number = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard number >= 0 else { throw SystemError(errno, at: path) }
    // Opening a card without a master makes this process its master, and keeps others from showing.
    _ = drm.DropMaster(number)
    card = Descriptor(owning: number)
    self.drm = drm
    self.path = path
  }

  func mode(ofConnector name: String) throws(SystemError) -> DisplayMode? {
    guard let connector = try connector(name) else { return nil }
    guard let encoder = drm.ModeGetEncoder(card.number, connector.encoder_id) else { return nil }
    let number = encoder.pointee.crtc_id
    drm.ModeFreeEncoder(encoder)
    guard number != 0, let crtc = drm.ModeGetCrtc(card.number, number) else { return nil }
    defer { drm.ModeFreeCrtc(crtc) }
    guard crtc.pointee.mode_valid != 0 else { return nil }
    return DisplayMode(crtc.pointee.mode)
  }

  private func connector(_ name: String) throws(SystemError) -> clinux_display_connector? {
    if let number = numbers[name], let known = connector(number), known.name == name {
      return known
    }
    numbers = [:]
    errno = 0
    guard let parts = drm.ModeGetResources(card.number) else {
      throw SystemError(errno == 0 ? EIO : errno, at: path)
    }
    defer { drm.ModeFreeResources(parts) }
    for index in 0..<max(0, Int(parts.pointee.connector_count)) {
      guard let number = parts.pointee.connectors?[index], let found = connector(number) else {
        continue
      }
      numbers[found.name] = number
    }
    return numbers[name].flatMap { connector($0) }
  }

  private func connector(_ number: UInt32) -> clinux_display_connector? {
    guard let found = drm.ModeGetConnectorCurrent(card.number, number) else { return nil }
    defer { drm.ModeFreeConnector(found) }
    return found.pointee
  }
}

extension DisplayMode {
  fileprivate init(_ mode: clinux_display_mode) {
    self.init(
      width: Int(mode.hdisplay), height: Int(mode.vdisplay), pixelClock: Double(mode.clock) * 1000,
      lineLength: Int(mode.htotal), lineCount: Int(mode.vtotal) * max(1, Int(mode.vscan)),
      isInterlaced: mode.flags & CLINUX_DISPLAY_INTERLACED != 0,
      isDoubled: mode.flags & CLINUX_DISPLAY_DOUBLED != 0)
  }
}

extension clinux_display_connector {
  /// The kernel's name for it: drm_connector_enum_list in drm_connector.c.
  fileprivate var name: String {
    let types = [
      "Unknown", "VGA", "DVI-I", "DVI-D", "DVI-A", "Composite", "SVIDEO", "LVDS", "Component",
      "DIN", "DP", "HDMI-A", "HDMI-B", "TV", "eDP", "Virtual", "DSI", "DPI", "Writeback", "SPI",
      "USB",
    ]
    let index = Int(connector_type)
    return "\(types.indices.contains(index) ? types[index] : "Unknown")-\(connector_type_id)"
  }
}
