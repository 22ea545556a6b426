/// A set that is held and changes, for anyone who looks or subscribes.
///
/// Subscribing to it means its elements in the order of insertion: all of them now, and after each
/// transaction that changed them. What changed is in `updates` and `changes`.
public protocol ObservableSet<Element>: ValueStream where Value == [Element] {
  /// What it consists of.
  associatedtype Element: Hashable & Sendable

  /// The set and its changes, moment by moment; what every other view is made of.
  var moments: any ObservableValue<SetMoment<Element>> { get }
}

extension ObservableSet {
  /// The present elements in the order of insertion, containing every change announced so far.
  public var value: [Element] { moments.value.elements }

  /// How many elements there are now.
  public var presentCount: Int { moments.value.count }

  /// Whether an element is in it now.
  public func has(_ element: Element) -> Bool { moments.value.contains(element) }

  /// The set as one value, for all that is made of values.
  public var asValue: any ObservableValue<[Element]> { moments.map { $0.elements } }

  /// Begin, each change as it is made, and end of every transaction.
  public var updates: any ValueStream<TransactionEvent<SetChange<Element>>> {
    Derived(from: moments.updates) { sink in
      { event in
        switch event {
        case .begin: sink.receive(.begin)
        case .change(let step): sink.receive(.change(step.new.change(since: step.old)))
        case .end: sink.receive(.end)
        }
      }
    }
  }

  /// What a transaction has changed, at its end; nothing where that is nothing.
  public var changes: any ValueStream<SetChange<Element>> { MergedSteps(updates: updates) }

  /// Fires at the end of every transaction, whether it changed anything or not.
  public var tick: any ValueStream<Void> { moments.tick }

  /// Every element that is put in from now on, in order.
  public var elements: any ValueStream<Element> {
    Derived(from: updates) { sink in
      { event in
        guard case .change(let change) = event else { return }
        for element in change.inserted { sink.receive(element) }
      }
    }
  }

  /// Adds a sink, which receives all elements now and after every transaction.
  public func subscribe(_ sink: Sink<[Element]>) -> Connection {
    var receiveInitial: (@Sendable (SetMoment<Element>) -> Void)?
    if let receive = sink.receiveInitial { receiveInitial = { receive($0.elements) } }
    return moments.subscribe(
      Sink<SetMoment<Element>>(
        wantsFinalValue: sink.wantsFinalValue, receiveInitial: receiveInitial
      ) { sink.receive($0.elements) })
  }
}

/// A set that is made of others.
public struct SetView<Element: Hashable & Sendable>: ObservableSet {
  /// The set and its changes, moment by moment.
  public let moments: any ObservableValue<SetMoment<Element>>
}
