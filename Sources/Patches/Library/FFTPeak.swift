import Gathering
import Glibc
import Values

/// The strongest frequency of full windows.
struct FFTPeak: PatchKind {
  static let type = "fft_peak"
  static let summary = "The strongest frequency above zero of each full window, and its amplitude."
  static let inputs = [PortDescription("value", .double)]
  static let outputs = [
    PortDescription("frequency", .double, unit: "Hz"), PortDescription("magnitude", .double),
  ]
  static let options = [PortDescription("count", .int, standard: .int(256), isFixed: true)]
  static let passesNull = true

  private let count: Int
  private var numbers: [Double] = []
  private var start: Int64 = 0

  init(_ options: PatchOptions) throws(PatchError) {
    count = try options.count("count", in: 4...65_536)
    guard count.nonzeroBitCount == 1 else {
      throw .badOption("count", reason: "it must be a power of two")
    }
  }

  mutating func receive(
    _ sample: Sample, on input: String, _ publish: (String, Payload) -> Void
  ) throws {
    guard let number = sample.value.number else { return }
    if numbers.isEmpty { start = sample.time }
    numbers.append(number)
    guard numbers.count == count else { return }
    defer { numbers.removeAll(keepingCapacity: true) }
    let seconds = Double(sample.time &- start) / 1e9
    guard seconds > 0 else { return }
    let spectrum = Self.spectrum(numbers)
    // The last sample is one interval before the end of the window.
    let rate = Double(count - 1) / seconds
    guard let peak = (1...count / 2).max(by: { spectrum[$0] < spectrum[$1] }) else { return }
    let isLast = peak == count / 2
    publish("frequency", .double(Double(peak) * rate / Double(count)))
    publish("magnitude", .double(spectrum[peak].squareRoot() / Double(count) * (isLast ? 1 : 2)))
  }

  /// The squares of the magnitudes of all bins, by the transform of Cooley and Tukey.
  private static func spectrum(_ numbers: [Double]) -> [Double] {
    let count = numbers.count
    let shift = Int.bitWidth - count.trailingZeroBitCount
    var re = (0..<count).map { numbers[Int(bitPattern: reversed(UInt($0)) >> UInt(shift))] }
    var im = [Double](repeating: 0, count: count)
    var half = 1
    while half < count {
      for step in 0..<half {
        let angle = -Double.pi * Double(step) / Double(half)
        let (c, s) = (cos(angle), sin(angle))
        for low in stride(from: step, to: count, by: 2 * half) {
          let high = low + half
          let (x, y) = (re[high] * c - im[high] * s, re[high] * s + im[high] * c)
          (re[high], im[high]) = (re[low] - x, im[low] - y)
          (re[low], im[low]) = (re[low] + x, im[low] + y)
        }
      }
      half *= 2
    }
    return zip(re, im).map { $0 * $0 + $1 * $1 }
  }

  private static func reversed(_ number: UInt) -> UInt {
    var (number, result) = (number, UInt(0))
    for _ in 0..<UInt.bitWidth {
      result = result << 1 | number & 1
      number >>= 1
    }
    return result
  }
}
