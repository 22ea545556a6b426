/// The payloads of one property in the rows of a frame.
///
/// A row without a payload is NaN in a column of numbers and false, 0 or nil in others. The frame's
/// statuses tell such rows from others.
public enum FrameColumn: Sendable, Equatable {
  /// One boolean a row.
  case flags([Bool])
  /// One whole number a row.
  case integers([Int64])
  /// One time a row, on CLOCK_REALTIME in nanoseconds.
  case times([Int64])
  /// `width` numbers a row: one, or the components of a vector.
  case numbers([Double], width: Int)
  /// One text a row.
  case texts([String?])
  /// The bytes of each row.
  case bytes([[UInt8]?])

  /// How many elements a row has.
  public var width: Int { if case .numbers(_, let width) = self { width } else { 1 } }

  /// The numbers, row after row, of a column of numbers or of whole numbers.
  public var numbers: [Double]? {
    switch self {
    case .numbers(let numbers, _): numbers
    case .integers(let numbers): numbers.map(Double.init)
    default: nil
    }
  }

  /// The whole numbers or moments of a column of these.
  public var integers: [Int64]? {
    switch self {
    case .integers(let numbers), .times(let numbers): numbers
    default: nil
    }
  }

  /// The texts of a column of texts.
  public var texts: [String?]? { if case .texts(let texts) = self { texts } else { nil } }
}
