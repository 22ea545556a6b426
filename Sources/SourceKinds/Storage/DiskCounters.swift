import Gathering
import Ground
import Machine
import Values

/// The counters of one block device: its line of `/proc/diskstats`, or the same numbers in its
/// `stat` file below `/sys`, which on a live machine is cheaper to ask.
final class DiskCounters {
  static let path = "/proc/diskstats"

  /// The fields by position behind the name, as many as the kernel has (11, 15 or 17); negative
  /// where there is no number.
  private var fields: [Int64] = []
  /// Why there are none.
  private var absence: KeptOutcome?
  /// The text the fields were read from.
  private(set) var raw: [UInt8] = []
  /// The file it came from.
  var place: String { file.path }

  private static let uncounted = KeptOutcome(.unsupported("this kernel does not count it"))
  private let number: [ArraySlice<UInt8>]
  private var file: PolledFile
  private let table: PolledFile?

  /// The counters of a `MAJOR:MINOR`.
  init(ofDevice number: String, on machine: Machine) {
    self.number = Array(number.utf8).split(separator: UInt8(ascii: ":"))
    let table = PolledFile(Self.path, in: machine.files, limit: 1 << 20)
    if machine.nature == .live {
      file = PolledFile("/sys/dev/block/\(number)/stat", in: machine.files)
      self.table = table
    } else {
      file = table
      self.table = nil
    }
  }

  /// Reads the numbers anew.
  func read() {
    do throws(SystemError) {
      guard try file.hasChanged() else { return }
      fields.removeAll(keepingCapacity: true)
      absence = nil
      parse(file.bytes)
    } catch {
      fields.removeAll(keepingCapacity: true)
      if let table, error.code == SystemText.noEntry, file !== table {
        file = table
        return read()
      }
      raw = []
      absence = KeptOutcome(.from(error))
    }
  }

  private func parse(_ text: ArraySlice<UInt8>) {
    if file.path != Self.path { return take(text, skipping: 0) }
    if text.isEmpty {
      absence = KeptOutcome(.noData("empty text"))
      return
    }
    for line in Lines(of: text) {
      var words = Words(of: line)
      if words.next() == number.first && words.next() == number.last {
        return take(line, skipping: 3)
      }
    }
    raw = []
    absence = KeptOutcome(.unsupported("\(Self.path) has no line of the device"))
  }

  private func take(_ line: ArraySlice<UInt8>, skipping count: Int) {
    raw.removeAll(keepingCapacity: true)
    raw.append(contentsOf: line)
    line.withUnsafeBufferPointer { bytes in
      var start = 0
      var position = 0
      while start < bytes.count {
        while start < bytes.count, bytes[start] <= 0x20 { start += 1 }
        if start == bytes.count { return }
        let number = Self.number(bytes, from: &start)
        if position >= count { fields.append(number) }
        position += 1
      }
    }
  }

  /// The number of a word, -1 if it is none; behind it afterwards.
  private static func number(_ bytes: UnsafeBufferPointer<UInt8>, from start: inout Int) -> Int64 {
    var number: Int64 = 0
    var isNumber = true
    var index = start
    while index < bytes.count, bytes[index] > 0x20 {
      let digit = bytes[index] &- 0x30
      // Eighteen digits fit.
      if index &- start < 18 {
        number = number &* 10 &+ Int64(digit)
        isNumber = isNumber && digit < 10
      } else {
        let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
        let (sum, carry) = tens.addingReportingOverflow(Int64(digit))
        isNumber = isNumber && digit < 10 && !overflow && !carry
        number = sum
      }
      index &+= 1
    }
    start = index
    return isNumber ? number : -1
  }

  /// One field times a factor; nil where there is no such number.
  func number(_ index: Int, times factor: Int64 = 1) -> Int64? {
    guard absence == nil, index < fields.count, fields[index] >= 0 else { return nil }
    let (product, overflow) = fields[index].multipliedReportingOverflow(by: factor)
    return overflow ? nil : product
  }

  /// Why there is no such number; beyond what the kernel has it is `unsupported`.
  func absence(of index: Int) -> KeptOutcome {
    if let absence { return absence }
    guard index < fields.count else { return Self.uncounted }
    return KeptOutcome(
      fields[index] < 0
        ? .failed("cannot read \(raw.quotedExcerpt)", errno: SystemText.invalid)
        : .failed("the count exceeds 64 bits"))
  }
}
