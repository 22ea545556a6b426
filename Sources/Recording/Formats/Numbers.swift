import CLinux

/// A column of doubles, `width` per row, packed component by component.
///
/// They are stored as multiples of a step if that is exact, otherwise by the bytes that change.
enum Numbers {
  /// How the numbers of a component are multiples of something.
  struct Scale: Equatable, Sendable {
    var step: Double
    /// Whether they are divided by the step rather than multiplied: tenths, hundredths.
    var divides: Bool

    static let decimals = (0...9).map { digits in
      Scale(step: (0..<digits).reduce(1.0) { power, _ in power * 10 }, divides: true)
    }
  }

  /// Writes a column. `scale` is the step tried first, and afterwards the step used.
  static func write(
    _ numbers: [Double], width: Int, scale: inout Scale?, to out: inout ByteWriter
  ) {
    for component in 0..<width {
      var packed: [UInt8]?
      for candidate in [scale].compactMap(\.self) + Scale.decimals {
        packed = steps(of: numbers, component: component, width: width, in: candidate)
        guard packed != nil else { continue }
        scale = candidate
        out.put(candidate.divides ? 1 : 0)
        out.put(double: candidate.step)
        break
      }
      if packed == nil { out.put(2) }
      out.put(packed ?? changes(of: numbers, component: component, width: width))
    }
  }

  /// A component in multiples of a step, packed; nil if that is not exact.
  private static func steps(
    of numbers: [Double], component: Int, width: Int, in scale: Scale
  ) -> [UInt8]? {
    let rows = numbers.count / width
    return withUnsafeTemporaryAllocation(of: Int64.self, capacity: max(rows, 1)) { steps in
      let fits = numbers.withUnsafeBufferPointer { all in
        guard let base = all.baseAddress, let first = steps.baseAddress else { return true }
        return clinux_scale(base + component, width, rows, scale.step, scale.divides, first)
      }
      return fits ? Integers.packed(UnsafeBufferPointer(rebasing: steps[..<rows])) : nil
    }
  }

  private static func changes(of numbers: [Double], component: Int, width: Int) -> [UInt8] {
    let rows = numbers.count / width
    return [UInt8](unsafeUninitializedCapacity: rows * 9 + 8) { buffer, count in
      numbers.withUnsafeBufferPointer { all in
        guard let base = all.baseAddress, let out = buffer.baseAddress else { return }
        count = clinux_pack_doubles(base + component, width, rows, out)
      }
    }
  }

  static func read(
    _ reader: inout ByteReader, rows: Int, width: Int
  ) throws(Malformed) -> [Double] {
    try reader.reserve(rows * width)
    var numbers = [Double](repeating: 0, count: rows * width)
    for component in 0..<width {
      let way = try reader.byte()
      if way == 2 {
        try readChanges(&reader, component: component, width: width, into: &numbers)
        continue
      }
      guard way < 2 else { throw Malformed("doubles are packed in an unknown way") }
      let step = try reader.double()
      let steps = try Integers.unpacked(&reader, count: rows)
      numbers.withUnsafeMutableBufferPointer { all in
        guard let base = all.baseAddress else { return }
        clinux_unscale(steps, rows, step, way == 1, base + component, width)
      }
    }
    return numbers
  }

  private static func readChanges(
    _ reader: inout ByteReader, component: Int, width: Int, into numbers: inout [Double]
  ) throws(Malformed) {
    let rows = numbers.count / width
    var isWhole = true
    try reader.unpack { bytes, length in
      var taken = 0
      numbers.withUnsafeMutableBufferPointer { all in
        guard let base = all.baseAddress else { return }
        isWhole = clinux_unpack_doubles(bytes, length, rows, base + component, width, &taken)
      }
      return isWhole ? taken : nil
    }
  }
}
