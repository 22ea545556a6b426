import Gathering

/// What receives the values of an input, on the loop.
///
/// It is released once, after the last call (patches L40).
protocol InputReceiver: AnyObject, Sendable {
  /// Receives one value; throws if it fails. What it publishes may be left in `results`.
  func receive(_ sample: Sample, _ results: inout KindResults) throws
  /// Handles a result of its own that could not be placed, under no lock.
  func handle(_ result: KindResults.Result, _ refusal: KindResults.Refusal)
}

extension InputReceiver {
  /// It leaves no results.
  func handle(_ result: KindResults.Result, _ refusal: KindResults.Refusal) {}
}

/// What a kind has published while it receives.
///
/// It is placed in the queue of the loop together with the next step of the delivery, under one
/// lock. Up to one result is held in place.
struct KindResults {
  /// One value for one output.
  struct Result {
    var key: PortKey
    /// Which it is among the outputs of its kind.
    var output: Int
    var sample: Sample
  }

  /// Why a result could not be placed.
  enum Refusal {
    /// Its cascade is full, and that was not announced yet.
    case full
    /// The output was removed, or the context is closed.
    case closed
  }

  /// How many there are.
  private(set) var count = 0
  /// The oldest; what was taken leaves its memory as it is.
  private(set) var first = Result(key: .none, output: 0, sample: .null)
  private var others: ContiguousArray<Result> = []

  @inline(__always)
  mutating func append(_ sample: consuming Sample, for output: Int, _ key: PortKey) {
    if count == 0 {
      first.sample = sample
      (first.key, first.output) = (key, output)
    } else {
      others.append(Result(key: key, output: output, sample: sample))
    }
    count &+= 1
  }

  /// Removes the oldest result.
  mutating func popFirst() -> Result? {
    if count == 0 { return nil }
    count &-= 1
    defer { if count > 0 { first = others.removeFirst() } }
    return first
  }

  /// Swaps the sample of the only result with another, and removes it.
  @inline(__always)
  mutating func take(into sample: inout Sample) {
    count = 0
    swap(&first.sample, &sample)
  }
}
