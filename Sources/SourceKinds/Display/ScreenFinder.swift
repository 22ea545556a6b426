import Gathering
import Machine
import Values

/// Finds connected screens and their backlights.
struct ScreenFinder {
  static let connectors = "/sys/class/drm"
  static let backlights = "/sys/class/backlight"

  private let files: any FileTree

  init(_ files: any FileTree) { self.files = files }

  private struct Connector {
    /// `card0-eDP-1`
    var entry: String
    /// `eDP-1`
    var name: String
    var path: String
    /// The folder behind the path.
    var folder: String
    var isBuiltIn: Bool
    var backlight: Backlight?
  }

  private struct Backlight {
    var name: String
    var path: String
    var rank: Int
  }

  /// The prefixes of the names of built-in panels.
  private static let builtIn = ["eDP-", "LVDS-", "DSI-"]

  /// Built-in panels first, then the others in natural order, then backlights of no screen.
  func screens() -> [Instance] {
    var screens = connected()
    let lone = assignBacklights(to: &screens)
    let identity = machineIdentity()
    let ordered = screens.filter(\.isBuiltIn) + screens.filter { !$0.isBuiltIn }
    let named = ordered.map { instance($0, identity) }
    return (named + lone.map(instance)).withDistinctNames()
  }

  private func connected() -> [Connector] {
    let entries = (try? files.entries(of: Self.connectors)) ?? []
    return entries.sorted(by: NaturalOrder.areInIncreasingOrder).compactMap { entry in
      guard entry.hasPrefix("card"), let hyphen = entry.firstIndex(of: "-"),
        entry[..<hyphen].dropFirst(4).allSatisfy(\.isDecimalDigit)
      else { return nil }
      let path = "\(Self.connectors)/\(entry)"
      let status = Outcome(reading: PolledFile("\(path)/status", in: files), .text)
      guard status.value == .string("connected") else { return nil }
      let name = String(entry[entry.index(after: hyphen)...])
      let isBuiltIn = Self.builtIn.contains { name.hasPrefix($0) }
      return Connector(
        entry: entry, name: name, path: path,
        folder: (try? files.canonicalPath(of: path)) ?? path, isBuiltIn: isBuiltIn)
    }
  }

  /// A backlight belongs to the connector that is its parent, else to the only built-in panel,
  /// else to the only screen. Of several the firmware's wins, then the platform's.
  private func assignBacklights(to screens: inout [Connector]) -> [Backlight] {
    var lone: [Backlight] = []
    let panels = screens.indices.filter { screens[$0].isBuiltIn }
    let isAlone = screens.count == 1 && (screens[0].isBuiltIn || !hasSilentPanel)
    for backlight in allBacklights() {
      let owner =
        screens.indices.first { isParent(screens[$0], of: backlight) }
        ?? (panels.count == 1 ? panels.first : nil) ?? (isAlone ? 0 : nil)
      guard let owner else {
        lone.append(backlight)
        continue
      }
      if backlight.rank < screens[owner].backlight?.rank ?? .max {
        screens[owner].backlight = backlight
      }
    }
    return lone
  }

  /// Whether a built-in panel does not report if it is connected: its backlight belongs to no other
  /// screen.
  private var hasSilentPanel: Bool {
    ((try? files.entries(of: Self.connectors)) ?? []).contains { entry in
      guard let hyphen = entry.firstIndex(of: "-"),
        Self.builtIn.contains(where: { entry[entry.index(after: hyphen)...].hasPrefix($0) })
      else { return false }
      let status = PolledFile("\(Self.connectors)/\(entry)/status", in: files)
      return !Outcome(reading: status, .text).hasPayload
    }
  }

  private func isParent(_ screen: Connector, of backlight: Backlight) -> Bool {
    let places = [backlight.path, "\(backlight.path)/device"]
    return places.contains { place in
      guard let folder = try? files.canonicalPath(of: place) else { return false }
      return folder == screen.folder || folder.hasPrefix(screen.folder + "/")
    }
  }

  private func allBacklights() -> [Backlight] {
    let names = (try? files.entries(of: Self.backlights)) ?? []
    return names.sorted(by: NaturalOrder.areInIncreasingOrder).compactMap { name in
      let path = "\(Self.backlights)/\(name)"
      guard (try? files.entries(of: path)) != nil else { return nil }
      let type = Outcome(reading: PolledFile("\(path)/type", in: files), .text).value.text
      let rank = ["firmware", "platform", "raw"].firstIndex { $0 == type } ?? 3
      return Backlight(name: name, path: path, rank: rank)
    }
  }

  private func instance(_ screen: Connector, _ identity: MachineIdentity) -> Instance {
    var notes = ["connector": screen.name, "builtIn": screen.isBuiltIn ? "yes" : "no"]
    notes["backlight"] = screen.backlight?.path
    let edid = PolledFile("\(screen.path)/edid", in: files, limit: EDIDFile.limit, holding: .bytes)
    let block = (try? edid.read()).flatMap { try? EDID($0) }
    var name = screen.name
    if !screen.isBuiltIn, let block, let maker = block.manufacturer {
      let code = String(block.productCode, radix: 16, uppercase: true)
      let digits = String(repeating: "0", count: 4 - code.count) + code
      name = "\(maker).\(digits).\(identity.digest(of: block.base))"
    }
    let model = block?.text(ofDescriptor: EDID.modelTag)
    var instance = Instance(
      name, label: model ?? screen.name,
      aliases: [screen.name, screen.entry].filter { $0 != name },
      availability: Availability(.available, backend: "sysfs"), path: screen.path, notes: notes)
    instance.topics = topics(of: screen.backlight)
    return instance
  }

  private func instance(_ backlight: Backlight) -> Instance {
    var instance = Instance(
      backlight.name, availability: Availability(.available, backend: "sysfs"),
      notes: ["backlight": backlight.path])
    instance.topics = topics(of: backlight)
    return instance
  }

  /// Firmware that changes the brightness itself announces it by this attribute.
  private func topics(of backlight: Backlight?) -> [ChangeTopic] {
    backlight.map { [.attribute(path: "\($0.path)/actual_brightness")] } ?? []
  }

  private func machineIdentity() -> MachineIdentity {
    let file = PolledFile("/etc/machine-id", in: files)
    return (try? file.read()).map { MachineIdentity(parsing: $0) } ?? .none
  }
}
