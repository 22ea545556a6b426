/// Writes metrics into memory that is large enough for them.
struct MetricWriter {
  /// No number takes more.
  private static let numberRoom = 25

  private let begin: UnsafeMutablePointer<UInt8>
  private var end: UnsafeMutablePointer<UInt8>

  /// Begins at the start of some memory, which is not empty.
  init(_ memory: UnsafeMutableBufferPointer<UInt8>) {
    begin = memory.baseAddress.unsafelyUnwrapped
    end = begin
  }

  /// How many bytes were written.
  var count: Int { end - begin }

  /// How many bytes a family takes at most.
  static func room(for family: MetricFamily, _ head: MetricHead, as form: MetricText) -> Int {
    // Braces, a space and the end of the line.
    let each = head.sample.count + 4 + numberRoom
    return family.metrics.reduce(head.lines(as: form).count) { $0 + each + $1.labels.text.count }
  }

  /// Writes a family.
  mutating func write(_ family: MetricFamily, _ head: MetricHead, as form: MetricText) {
    write(head.lines(as: form))
    for metric in family.metrics {
      write(head.sample)
      if !metric.labels.text.isEmpty {
        write(UInt8(ascii: "{"))
        write(metric.labels.text)
        write(UInt8(ascii: "}"))
      }
      write(UInt8(ascii: " "))
      switch metric.number {
      case .int(let number): write(number)
      case .double(let number): write(number)
      }
      write(UInt8(ascii: "\n"))
    }
  }

  /// Writes bytes.
  mutating func write(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { bytes in
      guard let first = bytes.baseAddress else { return }
      end.update(from: first, count: bytes.count)
      end += bytes.count
    }
  }

  private mutating func write(_ byte: UInt8) {
    end.pointee = byte
    end += 1
  }

  private mutating func write(_ number: Int64) {
    if number < 0 { write(UInt8(ascii: "-")) }
    var rest = number.magnitude
    var digits = 1
    while rest > 9 { (rest, digits) = (rest / 10, digits + 1) }
    rest = number.magnitude
    for place in stride(from: digits - 1, through: 0, by: -1) {
      end[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    end += digits
  }

  private mutating func write(_ number: Double) {
    for byte in number.description.utf8 { write(byte) }
  }
}
