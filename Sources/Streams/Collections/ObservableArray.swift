/// A list that is held and changes, for anyone who looks or subscribes.
///
/// Subscribing to it means its elements: all of them now, and after each transaction that changed
/// them. What changed is in `updates` and `changes`.
public protocol ObservableArray<Element>: ValueStream where Value == [Element] {
  /// What it consists of.
  associatedtype Element: Sendable

  /// The list and its changes, moment by moment; what every other view is made of.
  var moments: any ObservableValue<ArrayMoment<Element>> { get }
}

extension ObservableArray {
  /// The present elements, containing every change announced so far.
  public var value: [Element] { moments.value.list.elements }

  /// How many elements there are now.
  public var presentCount: Int { moments.value.list.count }

  /// The element at an index; nil if there is none.
  public subscript(index: Int) -> Element? {
    let list = moments.value.list
    return (0..<list.count).contains(index) ? list[index] : nil
  }

  /// The list as one value, for all that is made of values.
  public var asValue: any ObservableValue<[Element]> { moments.map { $0.list.elements } }

  /// Begin, each modification as it is made, and end of every transaction.
  public var updates: any ValueStream<TransactionEvent<ArrayChange<Element>>> {
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
  public var changes: any ValueStream<ArrayChange<Element>> {
    MergedSteps(updates: updates)
  }

  /// Fires at the end of every transaction, whether it changed anything or not.
  public var tick: any ValueStream<Void> { moments.tick }

  /// Adds a sink, which receives all elements now and after every transaction.
  public func subscribe(_ sink: Sink<[Element]>) -> Connection {
    var receiveInitial: (@Sendable (ArrayMoment<Element>) -> Void)?
    if let receive = sink.receiveInitial { receiveInitial = { receive($0.list.elements) } }
    return moments.subscribe(
      Sink<ArrayMoment<Element>>(
        wantsFinalValue: sink.wantsFinalValue, receiveInitial: receiveInitial
      ) { sink.receive($0.list.elements) })
  }
}

/// A list that is made of others.
public struct ArrayView<Element: Sendable>: ObservableArray {
  /// The list and its changes, moment by moment.
  public let moments: any ObservableValue<ArrayMoment<Element>>
}
