import Gathering
import Machine
import Values

/// Reads one screen: its connector, its EDID and its backlight, none of which wakes it.
final class ScreenReader: InstanceReader {
  private typealias Field = Screen.Field

  private let notes: [String: String]
  private let path: String
  private let edid: EDIDFile?
  private let modes: PolledFile?
  private let enabled: PolledFile?
  private let displayPower: PolledFile?
  private let backlight: BacklightFiles?
  private let shown: ShownMode?
  private var mode: DisplayMode?

  init(_ instance: Instance, on machine: Machine) {
    notes = instance.notes
    path = instance.path
    let folder = instance.path.isEmpty ? nil : instance.path
    edid = folder.map { EDIDFile("\($0)/edid", in: machine.files) }
    modes = folder.map { PolledFile("\($0)/modes", in: machine.files) }
    enabled = folder.map { PolledFile("\($0)/enabled", in: machine.files) }
    displayPower = folder.map { PolledFile("\($0)/dpms", in: machine.files) }
    backlight = instance.notes["backlight"].map { BacklightFiles($0, in: machine.files) }
    shown = folder.flatMap { folder in
      guard let slash = folder.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
      let entry = folder[folder.utf8.index(after: slash)...]
      return machine.displays.map { ShownMode(ofEntry: entry, through: $0) }
    }
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    let isFirst = request.scope == .everything
    readBacklight(isFirst, into: &reading)
    reading[Field.power] = power()
    readModes(into: &reading)
    let noConnector = Outcome.unsupported("a backlight without a screen")
    reading[Field.enabled] =
      enabled.map { Outcome(reading: $0, Self.enabledRule) } ?? noConnector
    guard isFirst else { return }
    reading[Field.connector] =
      notes["connector"].map { .ok(.string($0)) } ?? noConnector
    reading[Field.builtIn] = notes["builtIn"].map { .ok(.bool($0 == "yes")) } ?? noConnector
    readIdentity(request, noConnector, into: &reading)
  }

  private func readBacklight(_ isFirst: Bool, into reading: inout Reading) {
    guard let backlight else {
      for field in [Field.brightness, .brightnessRaw, .brightnessMax, .backlightType] {
        reading[field] = .unsupported("no backlight")
      }
      return
    }
    let (raw, largest) = backlight.read()
    reading[Field.brightnessRaw] = raw
    reading[Field.brightness] = BacklightFiles.share(raw, of: largest)
    if isFirst {
      reading[Field.brightnessMax] = largest
      reading[Field.backlightType] = backlight.type()
    }
  }

  /// On if both the backlight and the connector are; off if either is.
  private func power() -> Outcome {
    let parts = [
      backlight?.power(), displayPower.map { Outcome(reading: $0, Self.displayPowerRule) },
    ].compactMap { $0 }
    if parts.contains(where: { $0.value == .bool(false) }) { return .ok(.bool(false)) }
    let troubled = parts.first { $0.status != .ok && $0.status != .unsupported }
    return troubled ?? parts.first { $0.status == .ok } ?? parts.first
      ?? .unsupported("nothing tells")
  }

  private func readModes(into reading: inout Reading) {
    guard let modes, let edid else {
      for field in [Field.modes, .width, .height, .refreshRate] {
        reading[field] = .unsupported("a backlight without a screen")
      }
      return
    }
    let words = Outcome(reading: modes, Self.modeWords)
    reading[Field.modes] = words
    edid.read()
    mode = shown?.read()
    reading[Field.refreshRate] =
      mode?.refreshRate.map { .ok(.double($0)) }
      ?? edid.value { block in
        block.preferred?.refreshRate.map { .ok(.double($0)) } ?? .noData("no preferred timing")
      }
    let preferred = edid.block?.preferred
    let size = mode.map { ($0.width, $0.height) } ?? preferred.map { ($0.width, $0.height) }
    if let size {
      reading[Field.width] = .ok(.int(Int64(size.0)))
      reading[Field.height] = .ok(.int(Int64(size.1)))
    } else {
      (reading[Field.width], reading[Field.height]) = Self.size(ofFirst: words)
    }
  }

  private func readIdentity(
    _ request: ReadRequest, _ noConnector: Outcome, into reading: inout Reading
  ) {
    let identity: [(Field, (EDID) -> Outcome)] = [
      (.physicalWidth, { Self.metres($0, \.width) }),
      (.physicalHeight, { Self.metres($0, \.height) }),
      (.manufacturer, { $0.manufacturer.map { .ok(.string($0)) } ?? .noData("no letters") }),
      (.productCode, { .ok(.int(Int64($0.productCode))) }),
      (.model, { Self.text($0, EDID.modelTag) }), (.year, { .ok(.int(Int64($0.year))) }),
    ]
    for (field, rule) in identity { reading[field] = edid?.value(rule) ?? noConnector }
    if request.wants(Screen.table[Field.serial]) {
      reading[Field.serial] = edid?.value(Self.serial) ?? noConnector
    }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    switch Field(rawValue: index) {
    case .brightness, .brightnessRaw: return backlight?.rawBrightness
    case .brightnessMax: return backlight?.largest.lastRaw
    case .backlightType: return backlight?.kind.lastRaw
    case .power: return backlight?.switchedOff.lastRaw ?? displayPower?.lastRaw
    case .modes: return modes?.lastRaw
    case .enabled: return enabled?.lastRaw
    case .connector: return notes["connector"].map { RawValue($0.utf8, place: path) }
    case .builtIn, nil: return nil
    case .width, .height: return rawMode ?? edid?.raw(54..<72) ?? modes?.lastRaw
    case .refreshRate: return rawMode ?? edid?.raw(54..<72)
    case .physicalWidth, .physicalHeight: return edid?.raw(54..<72)
    case .manufacturer: return edid?.raw(8..<10)
    case .productCode: return edid?.raw(10..<12)
    case .year: return edid?.raw(17..<18)
    case .model: return edid?.raw(edid?.block?.descriptor(EDID.modelTag))
    case .serial: return edid?.raw(edid?.block?.descriptor(EDID.serialTag) ?? 12..<16)
    }
  }
}

extension ScreenReader {
  private var rawMode: RawValue? { mode.flatMap { shown?.raw($0) } }

  private static let enabledRule = TextRule { text in
    if text.equals("enabled") { return .ok(.bool(true)) }
    return text.equals("disabled") ? .ok(.bool(false)) : .unparsable(text)
  }

  private static let displayPowerRule = TextRule { text in
    if text.equals("On") { return .ok(.bool(true)) }
    let isOff = text.equals("Off") || text.equals("Standby") || text.equals("Suspend")
    return isOff ? .ok(.bool(false)) : .unparsable(text)
  }

  /// The mode names, each once, in the kernel's order.
  private static let modeWords = TextRule { text in
    var seen: Set<ArraySlice<UInt8>> = []
    let words = Words(of: text).filter { seen.insert($0).inserted }
    return .ok(.string(words.map(\.lenientText).joined(separator: " ")))
  }

  private static func size(ofFirst modes: Outcome) -> (Outcome, Outcome) {
    guard let words = modes.value.text else { return (modes, modes) }
    let first = Array(words.utf8.prefix { $0 != 0x20 })
    let parts = first.split(separator: UInt8(ascii: "x"), maxSplits: 1)
    let height = parts.last?.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard parts.count == 2, let width = parts[0].decimal, let height = height?.decimal else {
      let bad = Outcome.unparsable(first[...])
      return (bad, bad)
    }
    return (.ok(.int(width)), .ok(.int(height)))
  }

  private static func metres(
    _ block: EDID, _ side: KeyPath<(width: Int, height: Int), Int>
  ) -> Outcome {
    if let timing = block.preferred, timing.millimetres[keyPath: side] > 0 {
      return .ok(.double(Double(timing.millimetres[keyPath: side]) / 1000))
    }
    let size = block.centimetres
    guard size.width > 0, size.height > 0 else { return .noData("the size is not given") }
    return .ok(.double(Double(size[keyPath: side]) / 100))
  }

  private static func text(_ block: EDID, _ tag: UInt8) -> Outcome {
    block.text(ofDescriptor: tag).map { .ok(.string($0)) } ?? .noData("the EDID does not say")
  }

  private static func serial(_ block: EDID) -> Outcome {
    let words = text(block, EDID.serialTag)
    if words.status == .ok || block.serialNumber == 0 { return words }
    return .ok(.string(String(block.serialNumber)))
  }
}
