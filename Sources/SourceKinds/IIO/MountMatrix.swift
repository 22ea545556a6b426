import Gathering
import Machine
import Values

/// How a sensor is mounted: device = matrix × sensor (catalogue 3.3).
struct MountMatrix: Sendable {
  /// The vectors a matrix is applied to.
  enum Use: Sendable {
    /// Accelerations: any orthogonal matrix, including udev's. Those were made to rotate a screen,
    /// and most of them mirror; they are applied unchanged.
    case acceleration
    /// Fields and rates of rotation: the kernel's matrices only, and none that mirrors.
    case rotation
  }

  /// The matrix as found, or why there is none to apply.
  let outcome: Outcome
  /// Where it was found.
  let raw: RawValue?
  /// Its nine numbers row by row, if it is to be applied.
  let rows: [Double]?

  /// Whether it is there and could not be read, which may be so no more.
  var isUnread: Bool {
    outcome.absence.map { $0.errno != 0 && $0.errno != SystemText.noEntry } ?? false
  }

  /// Looks for the matrix of a type's axes: the channel's, the type's, the direction's, the
  /// device's, and for accelerations udev's. The first there is decides.
  init(of type: String, on device: IIODevice, of machine: Machine, for use: Use) {
    let name = device.attribute("mount_matrix", of: "\(type)_x")
    var found: (outcome: Outcome, raw: RawValue?)
    if let name {
      let file = PolledFile("\(device.path)/\(name)", in: machine.iio.files)
      found = (Outcome(reading: file, .text), nil)
      found.raw = file.lastRaw
    } else if use == .acceleration {
      found = device.udev(.mountMatrix, on: machine)
    } else {
      found = (.unsupported("the driver tells no mount matrix"), nil)
    }
    raw = found.raw
    guard let text = found.outcome.text else {
      outcome = found.outcome
      rows = nil
      return
    }
    let numbers = Self.numbers(in: text)
    let flaw =
      numbers.map { Self.flaw(of: $0, for: use) } ?? "it is not three rows of three numbers"
    if let flaw {
      let excerpt = Array(text.utf8).quotedExcerpt
      outcome = .failed("the mount matrix \(excerpt) is not applied: \(flaw)")
      rows = nil
    } else {
      outcome = found.outcome
      rows = numbers
    }
  }

  /// The nine numbers of `a, b, c; d, e, f; g, h, i`; nil for any other text.
  static func numbers(in text: String) -> [Double]? {
    let semicolon = UInt8(ascii: ";")
    let rows = Array(text.utf8).split(separator: semicolon, omittingEmptySubsequences: false)
    var numbers: [Double] = []
    for row in rows {
      let columns = row.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      guard columns.count == 3 else { return nil }
      for column in columns {
        guard let number = NumberText.decimal(column) else { return nil }
        numbers.append(number)
      }
    }
    return numbers.count == 9 ? numbers : nil
  }

  /// Why a matrix is not to be applied; nil if it is.
  static func flaw(of matrix: [Double], for use: Use) -> String? {
    for row in 0..<3 {
      for column in 0..<3 {
        let product = (0..<3).reduce(0.0) { sum, index in
          sum + matrix[row * 3 + index] * matrix[column * 3 + index]
        }
        // Negated so that an overflow counts as a flaw.
        if !(abs(product - (row == column ? 1 : 0)) <= 0.05) { return "it is not orthogonal" }
      }
    }
    if use == .rotation && determinant(of: matrix) < 0 { return "it mirrors, so it is no rotation" }
    return nil
  }

  /// A column vector turned into the device's frame.
  static func apply(_ matrix: [Double], to vector: Vector) -> Vector {
    let turned = (0..<3).map { row in
      // From +0 on, so that no component becomes −0.
      (0..<3).reduce(0.0) { $0 + matrix[row * 3 + $1] * (vector[$1] ?? 0) }
    }
    return Vector(turned[0], turned[1], turned[2])
  }

  private static func determinant(of m: [Double]) -> Double {
    m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6])
      + m[2] * (m[3] * m[7] - m[4] * m[6])
  }
}
