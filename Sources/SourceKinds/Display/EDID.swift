import Gathering
import Values

/// The description of a screen: the base block of EDID 1.x (VESA E-EDID A2).
///
/// Every length is that of the bytes present; lengths stated in the block are not trusted.
struct EDID: Equatable {
  /// Why a block is none.
  enum Failure: Error, Equatable {
    case length(Int)
    case header
    case checksum

    var reason: String {
      switch self {
      case .length(let count): "an EDID of \(count) bytes"
      case .header: "the EDID has no header"
      case .checksum: "the EDID's checksum is wrong"
      }
    }
  }

  /// A mode with its timing.
  struct Timing: Equatable {
    var width, height: Int
    /// Hz: pixel clock over all pixels of a frame, or of a field where two make one, blanking
    /// included; nil without any.
    var refreshRate: Double?
    /// Size of the picture in millimetres; 0 is unknown.
    var millimetres: (width: Int, height: Int)

    static func == (left: Timing, right: Timing) -> Bool {
      left.width == right.width && left.height == right.height
        && left.refreshRate == right.refreshRate && left.millimetres == right.millimetres
    }
  }

  /// The first bytes of every base block.
  static let header: [UInt8] = [0, 255, 255, 255, 255, 255, 255, 0]

  /// The 128 bytes of the base block.
  let base: [UInt8]

  /// Checks header, length and the sum of each block.
  init(_ bytes: some Collection<UInt8>) throws(Failure) {
    let all = Array(bytes)
    guard !all.isEmpty, all.count.isMultiple(of: 128) else { throw .length(all.count) }
    guard all.starts(with: Self.header) else { throw .header }
    for start in stride(from: 0, to: all.count, by: 128) {
      guard all[start..<(start + 128)].reduce(0, &+) == 0 else { throw .checksum }
    }
    base = Array(all.prefix(128))
  }

  /// The maker's three letters; nil where the bits are none.
  var manufacturer: String? {
    let word = Int(base[8]) << 8 | Int(base[9])
    let letters = [word >> 10 & 31, word >> 5 & 31, word & 31]
    guard letters.allSatisfy({ (1...26).contains($0) }) else { return nil }
    return letters.map { UInt8($0 + 64) }.lenientText
  }

  /// The maker's number for the product.
  var productCode: Int { Int(base[10]) | Int(base[11]) << 8 }

  /// The number of this one piece; 0 is none.
  var serialNumber: Int { (0..<4).reduce(0) { $0 | Int(base[12 + $1]) << (8 * $1) } }

  /// The year it was made, or of its model.
  var year: Int { 1990 + Int(base[17]) }

  /// The picture's size in centimetres; (0, 0) is unknown, one 0 an aspect ratio.
  var centimetres: (width: Int, height: Int) { (Int(base[21]), Int(base[22])) }

  /// The preferred timing: the first descriptor, unless it is something else.
  var preferred: Timing? {
    let block = base[54..<72].map(Int.init)
    let clock = (block[0] | block[1] << 8) * 10_000
    let active = (block[2] | (block[4] & 0xF0) << 4, block[5] | (block[7] & 0xF0) << 4)
    guard clock > 0, active.0 > 0, active.1 > 0 else { return nil }
    let blank = (block[3] | (block[4] & 0x0F) << 8, block[6] | (block[7] & 0x0F) << 8)
    let isInterlaced = block[17] & 0x80 != 0
    // The block gives the lines of a field; the frame of two fields has one more, half of it in
    // each.
    let lines = Double(active.1 + blank.1) + (isInterlaced ? 0.5 : 0)
    return Timing(
      width: active.0, height: isInterlaced ? active.1 * 2 : active.1,
      refreshRate: Double(clock) / (Double(active.0 + blank.0) * lines),
      millimetres: (block[12] | (block[14] & 0xF0) << 4, block[13] | (block[14] & 0x0F) << 8))
  }

  /// Where the payload of the first display descriptor of a tag stands in the base block.
  func descriptor(_ tag: UInt8) -> Range<Int>? {
    let start = stride(from: 54, to: 126, by: 18).first { start in
      base[start] == 0 && base[start + 1] == 0 && base[start + 2] == 0 && base[start + 3] == tag
    }
    return start.map { ($0 + 5)..<($0 + 18) }
  }

  /// The text of a descriptor, up to its line feed, without white space around it.
  func text(ofDescriptor tag: UInt8) -> String? {
    guard let range = descriptor(tag) else { return nil }
    let line = base[range].prefix { $0 != 0x0A && $0 != 0 }
    let trimmed = line.drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }.reversed()
    return trimmed.isEmpty ? nil : Array(trimmed).lenientText
  }
}

extension EDID {
  /// The descriptor that names the model.
  static let modelTag: UInt8 = 0xFC
  /// The descriptor that names this one piece.
  static let serialTag: UInt8 = 0xFF
}
