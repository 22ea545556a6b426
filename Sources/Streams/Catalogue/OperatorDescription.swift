/// An operator as its callers see it: one row of the table of all there are.
package struct OperatorDescription: Sendable {
  /// Which of the options must be given.
  package enum Need: Sendable {
    /// The first options, this many, are required; the others are optional.
    case first(Int)
    /// Exactly one of two.
    case exactlyOne
    /// At least one of two.
    case atLeastOne
  }

  /// A type of streams whose elements come and go.
  package enum Collection: String, CaseIterable, Sendable {
    case list, set
  }

  /// Its name.
  package let name: OperatorName
  /// The values it sends, in one line.
  package let summary: String
  /// Its options, in order.
  package let options: [OperatorOption]
  /// Which options are required.
  package let need: Need
  /// Whether it needs a stream that holds a value.
  package let needsObservable: Bool
  /// Of which of these types the stream must be; empty where any will do.
  package let collections: [Collection]

  private init(
    _ name: OperatorName, _ summary: String, _ options: [OperatorOption] = [],
    need: Need = .first(0), needsObservable: Bool = false, of collections: [Collection] = []
  ) {
    self.name = name
    self.summary = summary
    self.options = options
    self.need = need
    self.needsObservable = needsObservable || !collections.isEmpty
    self.collections = collections
  }

  /// The row of an operator.
  package static func of(_ name: OperatorName) -> OperatorDescription {
    switch name {
    case .distinct: OperatorDescription(name, "what does not equal the value before")
    case .buffered:
      OperatorDescription(
        name,
        "the same, by one subscription for all; an observable is silent during a transaction")
    case .counted: OperatorDescription(name, "how many values came, as an observable")
    case .updates:
      OperatorDescription(
        name, "{kind, old, new} with kind begin, change or end; of a list or set {kind, change}",
        needsObservable: true)
    case .changes:
      OperatorDescription(
        name,
        "{old, new} for each transaction; of a list {count, modifications: [{kind, at, old, new}]},"
          + " of a set {removed, inserted}",
        needsObservable: true)
    case .tick: OperatorDescription(name, "the end of each transaction", needsObservable: true)
    case .flatten: OperatorDescription(name, "the items of each list")
    case .bracketed:
      OperatorDescription(
        name, "the same, with a first and a last value for each subscriber",
        [OperatorOption("hello", .value), OperatorOption("goodbye", .value)])
    case .count, .sum, .contains, .sorted, .elements, .each: ofCollection(name)
    case .reversed: OperatorDescription(name, "what leads back, of changes of a list or set")
    case .throttle, .debounce, .sample, .batch, .timeout: timed(name)
    case .window, .movingAverage, .lowPass, .minChange: stepped(name)
    }
  }

  /// The operators of lists and sets.
  private static func ofCollection(_ name: OperatorName) -> OperatorDescription {
    let both = Collection.allCases
    return switch name {
    case .count: OperatorDescription(name, "how many elements a list or set has", of: both)
    case .sum: OperatorDescription(name, "the sum of the numbers of a list", of: [.list])
    case .contains:
      OperatorDescription(
        name, "whether a list or set has an element", [OperatorOption("value", .value)],
        need: .first(1), of: both)
    case .sorted:
      OperatorDescription(
        name, "the elements of a list or set in order, by themselves or a member of each",
        [OperatorOption("by", .value), OperatorOption("descending", .flag(standard: false))],
        of: both)
    case .elements: OperatorDescription(name, "every element that is put in, by itself", of: both)
    default:
      OperatorDescription(
        name, "the same list or set, whose elements the next transform works on", of: both)
    }
  }

  /// The operators that also act on the passage of time.
  private static func timed(_ name: OperatorName) -> OperatorDescription {
    let duration = OperatorOption("duration", .duration)
    return switch name {
    case .throttle:
      OperatorDescription(
        name, "at most one value a duration; the newest that came meanwhile follows if latest",
        [duration, OperatorOption("latest", .flag(standard: true))], need: .first(1))
    case .debounce:
      OperatorDescription(
        name, "the newest value once none has come for that long", [duration], need: .first(1))
    case .sample:
      OperatorDescription(
        name, "the newest value at each multiple of the duration, if one came", [duration],
        need: .first(1))
    case .batch:
      OperatorDescription(
        name, "lists without overlap, each full at count or a duration after its first value",
        [OperatorOption("count", .count), duration], need: .atLeastOne)
    default:
      OperatorDescription(
        name, "everything, and the substitute after a silence",
        [duration, OperatorOption("substitute", .value)], need: .first(2))
    }
  }

  /// The operators that handle each value at once.
  private static func stepped(_ name: OperatorName) -> OperatorDescription {
    let duration = OperatorOption("duration", .duration)
    return switch name {
    case .window:
      OperatorDescription(
        name, "lists of the last values, so many or not older than a duration",
        [OperatorOption("count", .count), duration], need: .exactlyOne)
    case .movingAverage:
      OperatorDescription(
        name, "the mean of the last values, so many or not older than a duration",
        [OperatorOption("window", .count), duration], need: .exactlyOne)
    case .lowPass:
      OperatorDescription(
        name, "smoothed exponentially, by a time constant or by a part of the way to each value",
        [OperatorOption("time_constant", .duration), OperatorOption("alpha", .number(0...1))],
        need: .exactlyOne)
    default:
      OperatorDescription(
        name, "what differs from the last one sent by at least delta",
        [OperatorOption("delta", .number(0...(.greatestFiniteMagnitude)))], need: .first(1))
    }
  }
}
