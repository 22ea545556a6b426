/// Records of a quaternion with a time stamp behind it, about which kernels and libiio disagree:
/// 32 bytes with the stamp in the last eight, or 24 with the stamp at byte 16 (catalogue 3.2).
struct StampedRotation {
  private let usual: ScanLayout
  private let packed: ScanLayout
  private var settled: ScanLayout?

  /// Nil for records whose layout is the same for kernels and libiio.
  init?(_ elements: [ScanElement]) {
    guard elements.contains(where: { $0.format.repeats > 1 }),
      elements.contains(where: \.isStamp)
    else { return nil }
    usual = ScanLayout(elements)
    packed = ScanLayout(packing: elements)
  }

  /// How many records of libiio's size to request so that whole records of the kernel fit.
  func samples(atLeast count: Int) -> Int {
    let unit = max(1, usual.recordSize)
    let step = (1...unit).first { $0 * packed.recordSize % unit == 0 } ?? 1
    return (count + step - 1) / step * step
  }

  /// The layout that makes whole records with stamps that rise; the first to do so is kept.
  mutating func layout(of records: UnsafeRawBufferPointer) -> ScanLayout {
    if let settled { return settled }
    let found = [usual, packed].first { Self.rises($0, records) }
    if !records.isEmpty { settled = found }
    return found ?? usual
  }

  private static func rises(_ layout: ScanLayout, _ records: UnsafeRawBufferPointer) -> Bool {
    guard layout.recordSize > 0, records.count % layout.recordSize == 0,
      let decoder = try? ScanDecoder([], from: layout, at: ""),
      let stamps = decoder.stamps(of: records)
    else { return false }
    return stamps.allSatisfy { $0 > 0 } && zip(stamps, stamps.dropFirst()).allSatisfy(<=)
  }
}
