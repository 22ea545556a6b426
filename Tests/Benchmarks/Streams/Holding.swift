import OpenCombine
import Streams

/// A value that is held is set and heard of.
var setting: Trial {
  let variable = Variable(0)
  let connection = variable.futureValues.subscribe { received &+= $0 }
  let subject = CurrentValueSubject<Int, Never>(0)
  let subscription = subject.sink { received &+= $0 }
  let property = Property(0)
  property.listeners.append { received &+= $0 }
  return Trial(
    name: "Swift: set a value", share: 1, aims: ["OpenCombine": "<= 60 ns"],
    participants: [
      ("", { withExtendedLifetime(connection) { _ = variable.set(1) } }),
      ("OpenCombine", { withExtendedLifetime(subscription) { subject.send(1) } }),
      ("closures", { property.value = 1 }),
    ])
}

/// One of two values that are held is set; who hears of it hears their sum.
var combining: Trial {
  let (left, right) = (Variable(0), Variable(1))
  let sum = combined(left, right) { $0 &+ $1 }
  let connection = sum.futureValues.subscribe { received &+= $0 }
  // OpenCombine has no `combineLatest`: this is how its users do without.
  let (first, second) = (CurrentValueSubject<Int, Never>(0), CurrentValueSubject<Int, Never>(1))
  let total = PassthroughSubject<Int, Never>()
  let subscriptions = [
    total.sink { received &+= $0 },
    first.sink { total.send($0 &+ second.value) },
    second.sink { total.send(first.value &+ $0) },
  ]
  let (one, other) = (Property(0), Property(1))
  let add = { [unowned one, unowned other] (_: Int) in received &+= one.value &+ other.value }
  one.listeners.append(add)
  other.listeners.append(add)
  return Trial(
    name: "Swift: set one of two combined", share: 1, aims: ["OpenCombine": "<= 300 ns"],
    participants: [
      ("", { withExtendedLifetime(connection) { _ = left.set(1) } }),
      ("OpenCombine", { withExtendedLifetime(subscriptions) { first.send(1) } }),
      ("closures", { withExtendedLifetime(other) { one.value = 1 } }),
    ])
}

private final class Property {
  var listeners: [(Int) -> Void] = []
  var value: Int {
    didSet { for listener in listeners { listener(value) } }
  }

  init(_ value: Int) {
    self.value = value
  }
}
