extension ObservableArray {
  /// Every element that is put in from now on, in order.
  public var elements: any ValueStream<Element> {
    Derived(from: updates) { sink in
      { event in
        guard case .change(let change) = event else { return }
        for modification in change.modifications {
          for element in modification.new { sink.receive(element) }
        }
      }
    }
  }
}
