import Gathering
import Machine

/// The `edid` attribute of a connector, parsed again only when its bytes have changed.
final class EDIDFile {
  /// A base block and 255 extensions.
  static let limit = 256 * 128

  /// The block, if the last bytes were one.
  private(set) var block: EDID?
  private var absence: Outcome?
  private var parsed: [UInt8]?
  private let file: PolledFile

  init(_ path: String, in files: any FileTree) {
    file = PolledFile(path, in: files, limit: Self.limit, holding: .bytes)
  }

  /// Reads the attribute.
  func read() {
    do {
      let bytes = try file.read()
      if let parsed, parsed.elementsEqual(bytes) { return }
      parsed = Array(bytes)
      parse(bytes)
    } catch {
      parsed = nil
      block = nil
      absence = .from(error)
    }
  }

  private func parse(_ bytes: ArraySlice<UInt8>) {
    block = nil
    absence = nil
    if bytes.isEmpty {
      absence = .noData("the screen gives no EDID")
      return
    }
    do throws(EDID.Failure) {
      block = try EDID(bytes)
    } catch {
      absence = .failed("\(file.path): \(error.reason)", errno: SystemText.invalid)
    }
  }

  /// Applies a rule to the block; returns its outcome, or why there is no block.
  func value(_ rule: (EDID) -> Outcome) -> Outcome {
    if let block { return rule(block) }
    return absence ?? .noData("no reading yet")
  }

  /// Some bytes of the block.
  func raw(_ range: Range<Int>?) -> RawValue? {
    guard let block, let range else { return nil }
    return RawValue(block.base[range], place: file.path)
  }
}
