import Glibc
public import Ground

/// The buffers of a captured tree: `dev/iio:deviceN`, played at the pace of its time stamps.
///
/// Elements whose `_en` is 1 make up the layout of a record; nothing is ever written (catalogue
/// 3.2). The first record is dated at the start. Without time stamps the rate is that of
/// `sampling_frequency`, or else the requested one.
public struct CapturedScans: ScanOpener {
  private let files: any FileTree

  /// The buffers of a tree's devices.
  public init(files: any FileTree) {
    self.files = files
  }

  /// Begins to play the file. Throws EOPNOTSUPP for a channel that was not captured, ENOENT if
  /// there is no file, EINVAL for an element with an invalid format.
  public func open(
    _ request: ScanRequest, on loop: any Loop,
    deliver: @escaping @Sendable (ScanBlock) -> Void,
    ended: @escaping @Sendable (SystemError?) -> Void
  ) throws(SystemError) -> any ScanStream {
    let attributes = ScanAttributes(files: files, device: request.device)
    let name = request.device.split(separator: "/").last ?? ""
    let file = try files.open("/dev/" + name)
    let elements = try attributes.enabledElements()
    let layout = try Self.layout(of: elements, in: file)
    let decoder = try ScanDecoder(request.groups, from: layout, at: request.device)
    var records = CapturedRecords(file: file, decoder: decoder)
    try records.load()
    let reported = attributes.interval(of: request.groups.flatMap(\.channels))
    let start = loop.clock.now.boot
    let stream = CapturedScanStream(
      records: records, start: start,
      interval: reported ?? records.firstStep ?? (decoder.hasStamps ? 0 : max(request.interval, 1)),
      loop: loop, deliver: deliver, ended: ended)
    stream.begin()
    return stream
  }

  /// Kernels differ in the position of the time stamp after a quaternion: the file itself decides.
  private static func layout(
    of elements: [ScanElement], in file: any OpenFile
  ) throws(SystemError) -> ScanLayout {
    let usual = ScanLayout(elements)
    guard elements.contains(where: { $0.format.repeats > 1 }),
      elements.contains(where: \.isStamp)
    else { return usual }
    let packed = ScanLayout(packing: elements)
    if try !rises(usual, file), try rises(packed, file) { return packed }
    return usual
  }

  private static func rises(
    _ layout: ScanLayout, _ file: any OpenFile
  ) throws(SystemError) -> Bool {
    let decoder = try ScanDecoder([], from: layout, at: file.path)
    var records = CapturedRecords(file: file, decoder: decoder)
    try records.load()
    let stamps = records.stamps.prefix(16)
    return stamps.allSatisfy { $0 > 0 } && zip(stamps, stamps.dropFirst()).allSatisfy(<=)
  }
}

/// The records of a file, some at a time.
struct CapturedRecords {
  private let file: any OpenFile
  private let decoder: ScanDecoder
  private var place = 0

  /// The records loaded last; a record cut off by the end of the file is dropped.
  private(set) var count = 0
  private(set) var stamps: [Int64] = []
  private(set) var columns: [[Double]] = []

  init(file: any OpenFile, decoder: ScanDecoder) {
    self.file = file
    self.decoder = decoder
  }

  var hasStamps: Bool { decoder.hasStamps }

  /// The first difference between two stamps that is one.
  var firstStep: Int64? {
    zip(stamps, stamps.dropFirst()).lazy.map { $1.subtractingReportingOverflow($0) }
      .first { !$0.overflow && $0.partialValue > 0 }?.partialValue
  }

  /// Loads the next records; `count` is 0 at the end.
  mutating func load() throws(SystemError) {
    let size = decoder.recordSize
    (count, stamps, columns) = (0, [], [])
    guard size > 0 else { return }
    var bytes = [UInt8](repeating: 0, count: max(1, 4096 / size) * size)
    var length = 0
    while length < bytes.count {
      let read = try read(into: &bytes, from: length)
      if read == 0 { break }
      length += read
    }
    count = length / size
    place += count * size
    bytes.withUnsafeBytes { all in
      let records = UnsafeRawBufferPointer(rebasing: all[..<(count * size)])
      stamps = decoder.stamps(of: records) ?? []
      columns = decoder.columns(of: records)
    }
  }

  private func read(into bytes: inout [UInt8], from start: Int) throws(SystemError) -> Int {
    let outcome: Result<Int, SystemError> = bytes.withUnsafeMutableBytes { all in
      do throws(SystemError) {
        let rest = UnsafeMutableRawBufferPointer(rebasing: all[start...])
        return .success(try file.read(at: place + start, into: rest))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }
}

extension ScanLayout {
  /// Elements aligned to their words instead of as wholes, as some drivers store a quaternion.
  init(packing enabled: [ScanElement]) {
    let elements = enabled.sorted { $0.index < $1.index }
    var offsets: [Int] = []
    var end = 0
    var largest = 1
    for element in elements {
      let word = element.format.wordSize
      offsets.append((end + word - 1) / word * word)
      end = (offsets.last ?? 0) + element.format.size
      largest = max(largest, word)
    }
    let size = (end + largest - 1) / largest * largest
    self.init(elements: elements, offsets: offsets, recordSize: size)
  }
}
