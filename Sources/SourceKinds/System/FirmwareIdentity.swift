import Gathering
import Machine
import Values

/// The firmware's data about the machine: DMI, or a devicetree if there is no DMI.
struct FirmwareIdentity {
  typealias Field = DeviceMetadata.Field

  /// The properties it knows.
  static let fields: [Field] = [
    .vendor, .model, .modelVersion, .family, .sku, .boardVendor, .boardName, .firmwareVendor,
    .firmwareVersion, .firmwareDate, .chassis, .serial, .hardwareUuid,
  ]

  private static let folder = "/sys/class/dmi/id"
  private static let trees = ["/sys/firmware/devicetree/base", "/proc/device-tree"]

  private let files: any FileTree
  private let tree: String?

  init(in files: any FileTree) {
    self.files = files
    let hasDMI = (try? files.entries(of: Self.folder)) != nil
    tree = hasDMI ? nil : Self.trees.first { (try? files.entries(of: $0)) != nil }
  }

  /// The outcome and the raw form of one property.
  func read(_ field: Field) -> (outcome: Outcome, raw: RawValue?) {
    if let tree { return readTree(tree, field) }
    let file = PolledFile("\(Self.folder)/\(Self.attribute(field))", in: files)
    let outcome = Outcome(reading: file, field == .chassis ? Self.chassis : Self.words)
    return (outcome, file.lastRaw)
  }

  private static func attribute(_ field: Field) -> String {
    switch field {
    case .vendor: "sys_vendor"
    case .model: "product_name"
    case .modelVersion: "product_version"
    case .family: "product_family"
    case .sku: "product_sku"
    case .boardVendor: "board_vendor"
    case .boardName: "board_name"
    case .firmwareVendor: "bios_vendor"
    case .firmwareVersion: "bios_version"
    case .firmwareDate: "bios_date"
    case .chassis: "chassis_type"
    case .serial: "product_serial"
    default: "product_uuid"
    }
  }

  private func readTree(_ tree: String, _ field: Field) -> (outcome: Outcome, raw: RawValue?) {
    let names: [Field: String] = [
      .vendor: "compatible", .model: "model", .chassis: "chassis-type", .serial: "serial-number",
    ]
    guard let name = names[field] else { return (.unsupported("a devicetree has none"), nil) }
    let file = PolledFile("\(tree)/\(name)", in: files)
    do {
      let text = try file.read()
      let first = text.prefix { $0 != 0 }
      return (field == .vendor ? Self.vendor(first) : Self.words(first), file.lastRaw)
    } catch {
      return (.from(error), nil)
    }
  }

  /// The part of `vendor,device` before the comma.
  private static func vendor(_ compatible: ArraySlice<UInt8>) -> Outcome {
    guard let comma = compatible.firstIndex(of: UInt8(ascii: ",")) else {
      return compatible.isEmpty ? .noData("empty text") : .noData("no vendor is named")
    }
    return words(compatible[..<comma])
  }

  /// Text, unless it is a placeholder that vendors left.
  private static let words = TextRule { text in
    let word = text.lenientText
    return placeholders.contains(word.lowercased())
      ? .noData("the vendor left \(text.quotedExcerpt)") : .ok(.string(word))
  }

  private static let placeholders: Set = [
    "to be filled by o.e.m.", "to be filled by o.e.m", "to be filled by oem", "default string",
    "system product name", "system manufacturer", "system version", "system serial number",
    "system sku number", "sku number", "base board manufacturer", "base board product name",
    "chassis manufacturer", "not specified", "not applicable", "not available", "unknown", "none",
    "n/a", "o.e.m.", "oem", "oem_string", "undefined", "invalid", "type1family",
    "type1productconfigid", "type1sku0", "0123456789", "123456789", "1234567890",
    "xxxxxxxxxx", "00000000-0000-0000-0000-000000000000",
    "ffffffff-ffff-ffff-ffff-ffffffffffff", "03000200-0400-0500-0006-000700080009",
  ]

  /// The chassis types of SMBIOS 7.4.1 by our words.
  private static let chassis = TextRule { text in
    guard case .int(let number) = TextRule.count(text).value else { return .unparsable(text) }
    return switch number {
    case 3...7, 13, 15, 16, 24, 35, 36: .ok(.string("desktop"))
    case 8...10, 14: .ok(.string("laptop"))
    case 31, 32: .ok(.string("convertible"))
    case 17, 23, 25, 28: .ok(.string("server"))
    case 30: .ok(.string("tablet"))
    case 11: .ok(.string("handset"))
    case 33, 34: .ok(.string("embedded"))
    default: .noData("chassis type \(number) says nothing")
    }
  }
}
