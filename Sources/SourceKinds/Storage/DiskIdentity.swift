import Gathering
import Ground
import Machine
import Values

/// What a drive calls itself, as the kernel and udev tell: each fact with its place, read when it
/// is asked for.
struct DiskIdentity {
  private let disk: String
  private let bus: DiskBus?
  private let files: any FileTree
  private let record: UdevRecord?

  /// The identity of a disk by its folder in `/sys/block`.
  init(ofDisk disk: String, on bus: DiskBus?, in files: any FileTree) {
    self.disk = disk
    self.bus = bus
    self.files = files
    let number = AttributeFolder(disk, ["dev"], in: files).read(0, .text).text
    record = number.map { UdevRecord(ofBlockDevice: $0, in: files) }
  }

  /// The model. What SCSI tells of it is cut off, so that udev's is the better one there.
  var model: ReportedValue {
    let own = ["device/model", "device/name"].map(text)
    let known = recorded(.encodedModel)
    return Self.first(bus?.tellsWholeModel == true ? own + known : known + own)
  }

  var serial: ReportedValue {
    Self.first(
      ["device/serial", "serial"].map(text) + recorded(.scsiSerial) + recorded(.serial)
        + [page("device/vpd_pg80")])
  }

  var firmware: ReportedValue {
    Self.first(["device/firmware_rev", "device/rev", "device/fwrev"].map(text))
  }

  /// The first that tells something; else the first failure; else the first silence.
  private static func first(_ values: [ReportedValue]) -> ReportedValue {
    values.first { $0.outcome.status == .ok } ?? values.first { !$0.outcome.leavesRoom }
      ?? values.first { $0.outcome.status == .noData } ?? values.first ?? (.notRead, nil)
  }

  private func recorded(_ key: UdevRecord.Key) -> [ReportedValue] {
    record.map { [$0.value(of: key)] } ?? []
  }

  private func text(_ name: String) -> ReportedValue {
    let file = ParsedFile("\(disk)/\(name)", .name, in: files)
    return (file.read(), file.raw)
  }

  /// The page of vital product data with the serial number of a unit: four bytes, then text.
  private func page(_ name: String) -> ReportedValue {
    let path = "\(disk)/\(name)"
    let file = PolledFile(path, in: files, holding: .bytes)
    do throws(SystemError) {
      let bytes = try file.read()
      guard bytes.count >= 4, bytes.dropFirst().first == 0x80 else {
        return (.failed("\(path) is no page of a serial number"), file.lastRaw)
      }
      let text = bytes.dropFirst(4).prefix { $0 != 0 }
      return (TextRule.name(text), RawValue(text, place: path))
    } catch {
      return (.from(error), nil)
    }
  }
}
