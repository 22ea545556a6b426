import Gathering
import Ground
import Machine
import Recording

/// A file as an answer, all of it or a range (RFC 9110, section 14).
struct FileAnswer {
  private static let chunk = 64 << 10
  private let path: String
  private let name: String
  private let file: any StoredFile
  private let size: Int

  /// Opens a file. Throws `io`.
  init(_ path: String, named name: String) throws(SourceError) {
    self.path = path
    self.name = name
    do throws(SystemError) {
      file = try LiveStorage().open(path, for: .reading)
      size = try file.size()
    } catch {
      throw .io(errno: error.code, place: name)
    }
  }

  func answer(range field: String?) throws(Refusal) -> HTTPAnswer {
    let range = try field.flatMap { text throws(Refusal) in try Self.range(text, of: size) }
    var fields = [
      HeaderField("Accept-Ranges", "bytes"),
      HeaderField("Content-Disposition", "attachment; filename=\"\(name)\""),
    ]
    if let range {
      fields.append(
        HeaderField(
          "Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"))
    }
    let wanted = range ?? 0..<size
    let place = Lock(wanted.lowerBound)
    let file = file
    let body = HTTPAnswer.Body.parts(length: wanted.count) {
      let from = place.withLock { place in
        defer { place = min(place + Self.chunk, wanted.upperBound) }
        return place
      }
      let count = min(Self.chunk, wanted.upperBound - from)
      if count <= 0 { return nil }
      return try file.bytes(at: from, count: count)
    }
    return HTTPAnswer(range == nil ? 200 : 206, "application/octet-stream", body, fields: fields)
  }

  /// The range of a field; nil for several and for other units, which mean the whole file.
  private static func range(_ text: String, of size: Int) throws(Refusal) -> Range<Int>? {
    guard text.hasPrefix("bytes="), !text.contains(",") else { return nil }
    let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    let range: Range<Int>?
    switch (Int(ends[0]), Int(ends[1])) {
    case (let first?, let last?) where first <= last:
      range = first < size ? first..<min(last, size - 1) + 1 : nil
    case (let first?, nil) where ends[1].isEmpty: range = first < size ? first..<size : nil
    case (nil, let count?) where ends[0].isEmpty:
      range = count > 0 ? max(0, size - count)..<size : nil
    default: return nil
    }
    guard let range, range.lowerBound < size, !range.isEmpty else {
      throw Refusal(
        .invalidArgument, "the file has \(size) bytes", status: .rangeNotSatisfiable,
        fields: [HeaderField("Content-Range", "bytes */\(size)")])
    }
    return range
  }
}

/// The lines of a text, taken on whichever thread wants them, one at a time.
final class TextPuller: Sendable {
  private let export: Lock<TextExport?>

  init(_ export: consuming sending TextExport) { self.export = Lock(export) }

  /// The next lines; nil behind the last.
  func next() throws(SourceError) -> [UInt8]? {
    // Reading files is nothing for a lock: it is taken out, and put back.
    guard var export = export.withLock({ $0.take() }) else { return nil }
    let lines = try export.next()
    if lines != nil { put(export) }
    return lines
  }

  private func put(_ export: consuming sending TextExport) {
    let back = export
    self.export.withLock { $0 = back }
  }
}
