import Glibc
import Ground

/// The content of `scan_elements` and the rate attributes in a device's folder.
struct ScanAttributes {
  let files: any FileTree
  /// The device's folder.
  let device: String

  /// The enabled elements, unordered. Throws ENOENT for a device without a buffer, EINVAL for an
  /// element whose position or format is invalid.
  func enabledElements() throws(SystemError) -> [ScanElement] {
    let folder = device + "/scan_elements"
    var elements: [ScanElement] = []
    for entry in try files.entries(of: folder) {
      guard entry.hasPrefix("in_"), entry.hasSuffix("_en"),
        text(of: "scan_elements/" + entry) == "1"
      else { continue }
      let element = String(entry.dropLast(3))
      guard let index = text(of: "scan_elements/" + element + "_index").flatMap(Int.init) else {
        throw SystemError(EINVAL, at: folder + "/" + element + "_index")
      }
      let type = text(of: "scan_elements/" + element + "_type") ?? ""
      guard let format = try? ScanFormat(type.utf8) else {
        throw SystemError(EINVAL, at: folder + "/" + element + "_type")
      }
      elements.append(ScanElement(name: String(element.dropFirst(3)), index: index, format: format))
    }
    return elements
  }

  /// The time between two scans in nanoseconds by the device's rate; nil if it reports none.
  func interval(of channels: [String]) -> Int64? {
    let attribute = "sampling_frequency"
    let shared = channels.flatMap { Self.owners(of: $0) }.map { "in_" + $0 + "_" + attribute }
    for name in [attribute] + shared + ["buffer/" + attribute] {
      if let hertz = text(of: name).flatMap(Double.init), let found = Rate.interval(ofHertz: hertz)
      {
        return found
      }
    }
    return nil
  }

  /// A channel and the types it belongs to: `rot_from_north_true`, `rot_from_north` … `rot`.
  static func owners(of channel: String) -> [String] {
    let words = channel.split(separator: "_")
    return words.indices.reversed().map { words[...$0].joined(separator: "_") }
  }

  private func text(of attribute: String) -> String? {
    guard let bytes = try? PolledFile(device + "/" + attribute, in: files).read() else {
      return nil
    }
    let isSpace: (UInt8) -> Bool = { $0 <= 32 }
    let end = bytes.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? bytes.startIndex
    return String(decoding: bytes[..<end].drop(while: isSpace), as: UTF8.self)
  }
}

/// Rates and intervals.
enum Rate {
  /// The interval in nanoseconds of a frequency; nil for none that a clock could keep.
  static func interval(ofHertz hertz: Double) -> Int64? {
    guard hertz.isFinite, hertz > 0, hertz >= 1e-9 else { return nil }
    return Int64(max(1, (1e9 / hertz).rounded()))
  }
}
