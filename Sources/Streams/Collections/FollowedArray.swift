/// How a list follows another one, change by change.
protocol ArrayFollowing: Sendable {
  associatedtype Input: Sendable
  associatedtype Output: Sendable

  /// The list made of a whole one.
  mutating func start(from input: SharedList<Input>) -> [Output]
  /// What a change of the input changes; nil where to start anew costs less.
  mutating func follow(
    _ change: ArrayChange<Input>, _ output: SharedList<Output>
  ) -> ArrayChange<Output>?
}

extension ArrayFollowing {
  /// The list that follows `origin` in this way. It follows while it is observed, and is made anew
  /// for each look otherwise.
  func following(_ origin: any ObservableValue<ArrayMoment<Input>>) -> ArrayView<Output> {
    let present = { @Sendable () -> ArrayMoment<Output> in
      var (fresh, input) = (self, origin.value)
      return ArrayMoment(SharedList(fresh.start(from: input.list)), at: input.stamp)
    }
    return ArrayView(
      moments: DerivedValue(
        Derivation(
          present: present,
          phase: { origin.presentPhase },
          attach: { inputSubscription in
            let latest = inputSubscription.subscribe(to: origin)
            let follower = OperatorMemory(FollowedArray(following: self))
            return { follower.update { $0.moment(after: latest.value) } ?? present() }
          },
          isNews: { $0.number != $1.number })))
  }
}

/// What is known of a list that follows another one.
private struct FollowedArray<Following: ArrayFollowing>: Sendable {
  var following: Following
  var moments: (input: ArrayMoment<Following.Input>, output: ArrayMoment<Following.Output>)?

  init(following: Following) {
    self.following = following
  }

  /// The moment that another one of the input leads to; the same where that changes nothing.
  mutating func moment(
    after input: ArrayMoment<Following.Input>
  ) -> ArrayMoment<Following.Output> {
    guard let (former, output) = moments else {
      let output = ArrayMoment(SharedList(following.start(from: input.list)), at: input.stamp)
      moments = (input, output)
      return output
    }
    if former.number == input.number { return output }
    let change =
      following.follow(input.change(since: former), output.list)
      ?? .replacing(output.list.elements, by: following.start(from: input.list))
    let new = change.isEmpty ? output : output.changed(by: change, at: input.stamp)
    moments = (input, new)
    return new
  }
}

extension ArrayChange {
  /// All elements are replaced.
  static func replacing(_ old: [Element], by new: [Element]) -> ArrayChange {
    var change = ArrayChange(count: old.count)
    change.append(ArrayModification(at: 0, old: old, new: new))
    return change
  }
}
