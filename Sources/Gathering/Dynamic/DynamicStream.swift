import Ground
public import Streams
import Values

/// A stream of samples with capabilities known at run time, as C and Python use it.
///
/// Every call is allowed on every thread, inside callbacks too; all of them throw `closed` after
/// the context was closed. Functions of the user run in turn with the context's other callbacks.
public final class DynamicStream: Sendable {
  /// Which property of which source its samples are of.
  public struct Origin: Sendable {
    /// The number of the source in its context.
    public let source: UInt32
    private let place: @Sendable () -> Int

    init(source: UInt32, place: @escaping @Sendable () -> Int) {
      self.source = source
      self.place = place
    }

    /// The index of the property, which may be another once the source has found its instance
    /// (sources N5).
    public var property: Int { place() }
  }

  /// Checks a value, and answers how to set it.
  typealias Preparation = @Sendable (Sample) throws -> @Sendable () -> Delivery

  enum Form: Sendable {
    case signal(Signal<Sample>)
    case publink(Publink<Sample>)
    case timer(DynamicTimer)
    case plain
    case observable(any ObservableValue<Sample>)
    case updatable(any UpdatableValue<Sample>, Preparation)
  }

  /// The context it belongs to.
  public let context: Context
  /// The part of it that each send needs.
  let life: ContextLife
  /// Nil for a stream derived from more than one property, or from none.
  public let origin: Origin?
  let form: Form
  /// The same where it is one of these, for a send.
  let signal: Signal<Sample>?
  let variable: Variable<Sample>?
  /// The list or set it is, if it is one.
  let collection: DynamicCollection?
  /// The samples of its subscribers: an initial value without the flag `isNew`, all others with it.
  let samples: any ValueStream<Sample>
  private let order: any OrderedStream

  init(_ signal: Signal<Sample>, in context: Context) {
    (self.context, life) = (context, context.life)
    origin = nil
    (form, collection) = (.signal(signal), nil)
    self.signal = signal
    variable = nil
    samples = signal
    order = signal
  }

  /// The stream of a publink, also of a port.
  public init(_ publink: Publink<Sample>, in context: Context) {
    (self.context, life) = (context, context.life)
    origin = nil
    (form, collection) = (.publink(publink), nil)
    (signal, variable) = (nil, nil)
    samples = InitialValueMarking(input: publink)
    order = publink
  }

  init(_ timer: DynamicTimer, in context: Context) {
    (self.context, life) = (context, context.life)
    origin = nil
    (form, collection) = (.timer(timer), nil)
    (signal, variable) = (nil, nil)
    samples = timer
    order = timer.ticks
  }

  /// A stream that can only be subscribed to.
  public init(
    _ stream: any ValueStream<Sample>, in context: Context, of origin: Origin? = nil
  ) {
    (self.context, life) = (context, context.life)
    self.origin = origin
    (form, collection) = (.plain, nil)
    (signal, variable) = (nil, nil)
    let order = (stream as? any OrderedStream<Sample>) ?? CountedStream(stream)
    samples = order
    self.order = order
  }

  // A default in place of it would have Swift prefer the initializer of a plain stream.
  convenience init(
    _ value: any ObservableValue<Sample>, in context: Context, of origin: Origin? = nil
  ) {
    self.init(value, in: context, of: origin, collection: nil)
  }

  init(
    _ value: any ObservableValue<Sample>, in context: Context, of origin: Origin? = nil,
    collection: DynamicCollection?
  ) {
    (self.context, life) = (context, context.life)
    (self.origin, self.collection) = (origin, collection)
    let (view, order) = CountedView.of(value)
    form = .observable(view)
    (signal, variable) = (nil, nil)
    samples = InitialValueMarking(input: view)
    self.order = order
  }

  init(
    _ value: any UpdatableValue<Sample>, in context: Context,
    preparing prepare: @escaping Preparation, collection: DynamicCollection? = nil
  ) {
    (self.context, life) = (context, context.life)
    (origin, self.collection) = (nil, collection)
    let (view, order) = CountedView.of(value)
    // A view of a settable value can be set too.
    let target = view as? any UpdatableValue<Sample>
    form = target.map { .updatable($0, prepare) } ?? .observable(view)
    (signal, variable) = (nil, nil)
    samples = InitialValueMarking(input: view)
    self.order = order
  }

  init(_ variable: Variable<Sample>, in context: Context) {
    (self.context, life) = (context, context.life)
    origin = nil
    form = .updatable(variable) { sample in { variable.set(sample) } }
    collection = nil
    signal = nil
    self.variable = variable
    samples = InitialValueMarking(input: variable)
    order = variable
  }

  // MARK: Description

  /// How many subscriptions are open: those of hosts, wires and derived streams alike.
  public var subscriberCount: Int { order.subscriberCount }

  /// Its capability, in a word for people.
  public var word: String {
    switch form {
    case .signal: "signal"
    case .publink: "publink"
    case .timer: "timer"
    case .plain: "plain"
    case .observable: "observable"
    case .updatable: "updatable"
    }
  }

  /// The value it holds, if it holds any.
  var observable: (any ObservableValue<Sample>)? {
    switch form {
    case .observable(let value): value
    case .updatable(let value, _): value
    default: nil
    }
  }

  /// The publink it is, if it is one.
  public var publink: Publink<Sample>? {
    if case .publink(let publink) = form { publink } else { nil }
  }

  /// The stream for wires of patches: for a publink the publink itself.
  public var wireable: any ValueStream<Sample> { publink ?? samples }

  func check() throws(SourceError) { try life.check() }

  /// How many values one cascade may have.
  func setCascadeLimit(_ limit: Int) { order.cascadeLimit = limit }

  /// A payload at the present moment of the context.
  func stamped(_ value: Value) -> Sample { life.stamped(value) }
}

/// A stream that marks its initial value, if it has one, by its flags.
struct InitialValueMarking: ValueStream {
  let input: any ValueStream<Sample>

  func subscribe(_ sink: Sink<Sample>) -> Connection {
    let receiveInitial = { @Sendable (sample: Sample) in
      var sample = sample
      sample.flags.remove(.isNew)
      sink.receive(sample)
    }
    return input.subscribe(
      Sink(wantsFinalValue: sink.wantsFinalValue, receiveInitial: receiveInitial, sink.receive))
  }
}
