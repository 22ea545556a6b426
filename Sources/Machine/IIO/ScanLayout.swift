/// One element of a record, as `scan_elements` lists it.
public struct ScanElement: Equatable, Sendable {
  /// The name without `in_` and `_en`: `accel_x`, `timestamp`.
  public let name: String
  /// Its place in the order of elements.
  public let index: Int
  /// How it is stored.
  public let format: ScanFormat

  /// The element that brings the time stamp.
  public static let stampName = "timestamp"

  /// An element of a name, place in order and format.
  public init(name: String, index: Int, format: ScanFormat) {
    self.name = name
    self.index = index
    self.format = format
  }
}

/// Where the elements of a record lie (catalogue 3.2).
///
/// Elements follow each other in the order of their index, each aligned to its own size; the
/// record is padded to its largest element.
public struct ScanLayout: Equatable, Sendable {
  /// The elements in order.
  public let elements: [ScanElement]
  /// Where each begins.
  public let offsets: [Int]
  /// Bytes of one record; 0 without elements.
  public let recordSize: Int

  /// The layout of the elements that are enabled, in any order.
  public init(_ enabled: [ScanElement]) {
    elements = enabled.sorted { $0.index < $1.index }
    var offsets: [Int] = []
    var end = 0
    var largest = 1
    for element in elements {
      let size = element.format.size
      end = Self.round(end, to: size)
      offsets.append(end)
      end += size
      largest = max(largest, size)
    }
    recordSize = Self.round(end, to: largest)
    // The kernel writes the stamp into the last eight bytes of the record, which is another place
    // only when an element is larger than a stamp.
    if let last = elements.last, last.isStamp, largest > last.format.size {
      offsets[offsets.count - 1] = recordSize - last.format.size
    }
    self.offsets = offsets
  }

  /// A layout whose offsets and record size are known already.
  init(elements: [ScanElement], offsets: [Int], recordSize: Int) {
    self.elements = elements
    self.offsets = offsets
    self.recordSize = recordSize
  }

  /// Where an element of a name lies, and how it is stored; nil if it is not in the record.
  func find(_ name: String) -> (offset: Int, format: ScanFormat)? {
    elements.firstIndex { $0.name == name }.map { (offsets[$0], elements[$0].format) }
  }

  private static func round(_ number: Int, to size: Int) -> Int {
    (number + size - 1) / size * size
  }
}

extension ScanElement {
  /// Whether the element is the time stamp.
  var isStamp: Bool { name == Self.stampName }
}
