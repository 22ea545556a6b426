/// The graphics cards of NVIDIA's driver, as its management library tells of them.
///
/// Any thread may call. A call waits a second at most, whatever the driver does.
public protocol NvidiaCards: Sendable {
  /// Takes one reading of the card at an address of PCI, `0000:01:00.0`.
  ///
  /// `staysOpen` is false for a card that the kernel lets sleep: then nothing of the library stays
  /// open behind the reading. Throws why the card cannot be asked.
  func read(_ address: String, texts: Bool, staysOpen: Bool) throws(NvidiaFailure) -> NvidiaReading
  /// Why the card at an address could not be asked at the last reading, or no card can now; nil if
  /// it could, or was not asked so far. Asks no driver.
  func failure(of address: String) -> NvidiaFailure?
}

/// Why a card cannot be asked.
public enum NvidiaFailure: Error, Equatable, Sendable {
  /// There is no library.
  case missing(MissingLibrary)
  /// The library could not be made ready: a code of its own.
  case library(Int32)
  /// It knows the card no more, or not: a code of its own.
  case card(Int32)
  /// A call did not return in time.
  case timedOut
}

/// What the management library said of a card.
public struct NvidiaReading: Equatable, Sendable {
  /// What it is asked for: a number.
  public enum Number: Int, CaseIterable, Sendable {
    /// In percent.
    case utilization, memoryUtilization, encoder, decoder
    /// In bytes.
    case memoryTotal, memoryUsed
    /// In degrees Celsius.
    case temperature, memoryTemperature
    /// In milliwatts.
    case power, powerLimit
    /// In millijoules.
    case energy
    /// In megahertz.
    case clock, memoryClock, clockMaximum
    /// In turns a minute.
    case fanSpeed
    /// In percent.
    case fanDuty
    /// Bits.
    case events
    /// From 0, the fastest.
    case state
    /// Whether the card is split into several.
    case mig
  }

  /// What it is asked for: a text.
  public enum Text: Int, CaseIterable, Sendable {
    case name, uuid, driverVersion
  }

  /// An answer.
  public enum Answer<Payload: Equatable & Sendable>: Equatable, Sendable {
    case value(Payload)
    /// A code of the library.
    case refused(Int32)
    /// The library is too old to have the function.
    case missing
  }

  /// One answer a number; `refused(3)`, which is "not supported", where none was given.
  public var numbers: [Answer<Int64>]
  /// One answer a text; nil where none was asked for.
  public var texts: [Answer<String>]?

  /// A reading in which no question was answered.
  public init() {
    numbers = Number.allCases.map { _ in .refused(3) }
  }

  /// The answer to the question for a number.
  public subscript(_ number: Number) -> Answer<Int64> {
    get { numbers[number.rawValue] }
    set { numbers[number.rawValue] = newValue }
  }
}
