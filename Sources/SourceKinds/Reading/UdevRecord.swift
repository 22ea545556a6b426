import Gathering
import Machine
import Values

/// udev's record of a device: `/run/udev/data/…`, lines of `E:KEY=VALUE`.
///
/// udev replaces a record by renaming. A record is read once; a missing one is looked for again,
/// since it may have been written since (sources A4).
final class UdevRecord {
  /// The keys there are uses for.
  enum Key: String, CaseIterable {
    case fileSystemLabel = "ID_FS_LABEL_ENC"
    case fileSystemIdentifier = "ID_FS_UUID_ENC"
    case sensorLocation = "ACCEL_LOCATION"
    case mountMatrix = "ACCEL_MOUNT_MATRIX"
    case proximityNearLevel = "PROXIMITY_NEAR_LEVEL"
    case videoCapabilities = "ID_V4L_CAPABILITIES"
    case encodedModel = "ID_MODEL_ENC"
    case serial = "ID_SERIAL_SHORT"
    case scsiSerial = "ID_SCSI_SERIAL"

    /// Whether its value identifies the device.
    var isSerial: Bool { [.fileSystemIdentifier, .serial, .scsiSerial].contains(self) }
    case model = "ID_MODEL_FROM_DATABASE"
  }

  private let path: String
  private let files: any FileTree
  private var found: [Key: (outcome: Outcome, raw: RawValue?)] = [:]
  private var asked: [Asked] = []

  /// The record of a block device `MAJOR:MINOR`.
  convenience init(ofBlockDevice number: String, in files: any FileTree) {
    self.init(named: "b\(number)", in: files)
  }

  /// The record of a device by udev's name for it: `c250:0`, `+iio:iio:device0`.
  init(named name: String, in files: any FileTree) {
    path = "/run/udev/data/\(name)"
    self.files = files
  }

  /// The value of a key with its `\xHH` escapes decoded, and the bytes it was made from.
  func value(of key: Key) -> (outcome: Outcome, raw: RawValue?) {
    if let known = found[key] { return known }
    let new = lookUp(key)
    if new.outcome.status == .ok { found[key] = new }
    return new
  }

  /// What was asked for, and when.
  private final class Asked {
    let key: Key
    var kept: KeptOutcome
    var isFound = false
    var at: Int64 = 0

    init(_ key: Key) {
      self.key = key
      kept = KeptOutcome(.notRead)
    }
  }

  /// The outcome of a key for those who may ask thousands of times a second: what the record does
  /// not have is looked for again when a second has passed. At the time `.max` it is every time.
  func outcome(of key: Key, at now: Int64) -> KeptOutcome {
    guard let known = asked.first(where: { $0.key == key }) else {
      let new = Asked(key)
      asked.append(new)
      return update(new, at: now)
    }
    if known.isFound || now >= known.at && now - known.at <= 1_000_000_000 { return known.kept }
    return update(known, at: now)
  }

  private func update(_ asked: Asked, at now: Int64) -> KeptOutcome {
    let outcome = value(of: asked.key).outcome
    if outcome != asked.kept.outcome { asked.kept = KeptOutcome(outcome) }
    asked.isFound = outcome.status == .ok
    asked.at = now == .max ? 0 : now
    return asked.kept
  }

  /// The bytes a value that was asked for was made from.
  func raw(of key: Key) -> RawValue? { found[key]?.raw }

  private func lookUp(_ key: Key) -> (outcome: Outcome, raw: RawValue?) {
    // The file itself, and not one that was renamed over.
    let file = PolledFile(path, in: files, limit: 1 << 16)
    do {
      let start = Array("E:\(key.rawValue)=".utf8)
      for line in Lines(of: try file.read()) where line.starts(with: start) {
        let value = line.dropFirst(start.count)
        let text = Self.unescaped(value)[...].trimmed
        let outcome = text.isEmpty ? Outcome.noData("empty text") : .ok(.string(text.lenientText))
        return (outcome, RawValue(value, place: path))
      }
      let absence =
        file.bytes.isEmpty
        ? Outcome.noData("empty text") : .unsupported("udev has no \(key.rawValue)")
      return (absence, nil)
    } catch {
      return (.from(error), nil)
    }
  }

  private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3, digits.first == UInt8(ascii: "x"),
        let code = UInt8(digits.dropFirst().lenientText, radix: 16)
      {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}
