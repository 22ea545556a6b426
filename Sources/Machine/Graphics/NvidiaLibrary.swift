import CLinux
import Ground

/// libnvidia-ml, asked on one thread, which is given up when a call does not return.
///
/// A card off its bus hangs in the driver for ever. The thread is then never joined, no second one
/// is started, and all who ask are told at once.
public final class NvidiaLibrary: NvidiaCards, LooksAnew {
  /// The file of the driver. The toolkit's `libnvidia-ml.so` is a stub, and never opened.
  public static let file = "libnvidia-ml.so.1"
  static let package = "libnvidia-ml1"

  /// How long a reading may take, in nanoseconds.
  private static let limit: Int64 = 1_000_000_000

  private struct State {
    /// What failed for all cards.
    var failure: NvidiaFailure?
    /// The cards that are lost, or have to be reset, with the code that says so.
    var lost: [(address: String, code: Int32)] = []
    /// Whether the library was made ready and left so.
    var isOpen = false
    /// Whether a card was asked for that sleeps: from then on nothing stays open.
    var hasSleeper = false
  }

  /// A reading under way.
  private enum Progress {
    case waited, abandoned
    case done(Result<NvidiaReading, NvidiaFailure>)
  }

  private let loaded: LibraryTable<clinux_nvml>
  private let worker = SerialWorker(named: "gkit-nvml", waiting: 5_000_000_000)
  private let state = Lock(State())

  /// A library by its file; a test has one of its own.
  init(_ file: String = NvidiaLibrary.file) {
    loaded = LibraryTable { () throws(MissingLibrary) -> clinux_nvml in
      let library = try SharedLibrary(file, package: Self.package)
      var table = clinux_nvml()
      if let symbol = clinux_nvml_bind(&table, library.handle) {
        throw library.missing(String(cString: symbol))
      }
      return table
    }
  }

  /// The one of this process; a forked child has its own.
  public static var shared: NvidiaLibrary {
    one.withLock { one in
      if one.fork.isForked { one = Shared() }
      return one.library
    }
  }

  private struct Shared {
    let fork = ForkGuard()
    let library = NvidiaLibrary()
  }

  private static let one = Lock(Shared())

  /// The file that was loaded; its version takes a driver that answers. Throws why there is none.
  public static func found() throws(MissingLibrary) -> String {
    _ = try shared.loaded.get()
    return file
  }

  /// Why a card could not be asked at the last reading, or none can now.
  public func failure(of address: String) -> NvidiaFailure? {
    if isHung { return .timedOut }
    do throws(MissingLibrary) {
      _ = try loaded.get()
    } catch {
      return .missing(error)
    }
    return state.withLock { state in
      state.failure ?? state.lost.first { $0.address == address }.map { .card($0.code) }
    }
  }

  /// Forgets what failed, so that it is tried again.
  public func lookAnew(at topics: [ChangeTopic]) {
    _ = state.withLock { state in
      defer { (state.failure, state.lost) = (nil, []) }
      return (state.failure, state.lost)
    }
  }

  /// Whether the call under way has taken too long already.
  private var isHung: Bool { worker.busyTime.map { $0 >= Self.limit } ?? false }

  /// Takes one reading of a card, on the one thread.
  public func read(
    _ address: String, texts: Bool, staysOpen: Bool
  ) throws(NvidiaFailure) -> NvidiaReading {
    if isHung { throw .timedOut }
    let progress = Monitor(Progress.waited)
    let isInTime = worker.run(within: Self.limit) { [self] in
      let isWanted = progress.withLock { if case .waited = $0 { true } else { false } }
      guard isWanted else { return }
      let answer = ask(address, texts: texts, staysOpen: staysOpen)
      progress.withLock { $0 = .done(answer) }
    }
    let outcome = progress.withLock { progress -> Result<NvidiaReading, NvidiaFailure> in
      if case .done(let answer) = progress { return answer }
      progress = .abandoned
      return .failure(.timedOut)
    }
    if isInTime { note(outcome, of: address) } else { state.withLock { $0.failure = .timedOut } }
    return try outcome.get()
  }

  /// A card that is lost says nothing of the others.
  private func note(_ outcome: Result<NvidiaReading, NvidiaFailure>, of address: String) {
    state.withLock { state in
      state.failure = nil
      state.lost.removeAll { $0.address == address }
      switch outcome {
      case .failure(.card(let code)) where Self.lasting.contains(code):
        state.lost.append((address, code))
      case .failure(.card), .failure(.missing), .success: break
      case .failure(let failure): state.failure = failure
      }
    }
  }

  /// The codes of a card that is off its bus, and of one that has to be reset.
  private static let lasting: [Int32] = [15, 16]

  // MARK: On the thread

  private func ask(
    _ address: String, texts: Bool, staysOpen: Bool
  ) -> Result<NvidiaReading, NvidiaFailure> {
    var table: clinux_nvml
    do throws(MissingLibrary) {
      table = try loaded.get()
    } catch {
      return .failure(.missing(error))
    }
    var (isOpen, hasSleeper) = state.withLock { ($0.isOpen, $0.hasSleeper || !staysOpen) }
    if isOpen, hasSleeper {
      _ = table.shutdown?()
      isOpen = false
    }
    let code = isOpen ? 0 : table.initialize?() ?? -1
    guard code == 0 else {
      state.withLock { $0.isOpen = false }
      return .failure(.library(code))
    }
    var reading = clinux_nvml_reading()
    let found = clinux_nvml_read(&table, address, texts, &reading)
    // A library that lost its driver is made ready anew.
    let isToClose = hasSleeper || [Self.uninitialized, Self.noDriver].contains(found)
    if isToClose { _ = table.shutdown?() }
    state.withLock { state in
      state.isOpen = !isToClose
      state.hasSleeper = hasSleeper
    }
    return found == 0
      ? .success(NvidiaReading(reading, withTexts: texts)) : .failure(.card(found))
  }

  private static let uninitialized: Int32 = 1
  private static let noDriver: Int32 = 9
}

extension NvidiaReading {
  /// What the library filled in.
  init(_ reading: clinux_nvml_reading, withTexts: Bool) {
    numbers = withUnsafeBytes(of: reading.answers) { bytes in
      let answers = bytes.bindMemory(to: clinux_nvml_answer.self)
      return Number.allCases.map { number in
        let answer = answers[number.rawValue]
        return Self.answer(answer.code, Int64(bitPattern: answer.number))
      }
    }
    guard withTexts else { return }
    texts = [
      Self.answer(reading.name_code, Self.text(reading.name)),
      Self.answer(reading.uuid_code, Self.text(reading.uuid)),
      Self.answer(reading.version_code, Self.text(reading.version)),
    ]
  }

  private static func answer<Payload>(_ code: Int32, _ payload: Payload) -> Answer<Payload> {
    switch code {
    case 0: .value(payload)
    case CLINUX_NVML_MISSING: .missing
    default: .refused(code)
    }
  }

  /// The bytes of an array of C before the first NUL.
  private static func text<Tuple>(_ tuple: Tuple) -> String {
    withUnsafeBytes(of: tuple) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
