import OpenCombine
import Streams

private let aims = ["OpenCombine": "<= 0.1 x"]

/// One value to so many sinks.
func sending(to count: Int) -> Trial {
  Trial(
    name: "Swift: send to one of \(count)", share: count, aims: aims,
    participants: [
      ("", ours(count)), ("OpenCombine", openCombine(count)), ("closures", closures(count)),
    ])
}

private func ours(_ count: Int) -> () -> Void {
  let signal = Signal<Int>()
  let connector = Connector()
  for _ in 0..<count { signal.subscribe { received &+= $0 }.put(into: connector) }
  return {
    signal.send(1)
    withExtendedLifetime(connector) {}
  }
}

private func openCombine(_ count: Int) -> () -> Void {
  let subject = PassthroughSubject<Int, Never>()
  let subscriptions = (0..<count).map { _ in subject.sink { received &+= $0 } }
  return {
    subject.send(1)
    withExtendedLifetime(subscriptions) {}
  }
}

private func closures(_ count: Int) -> () -> Void {
  let sinks = Listeners(count)
  return { for sink in sinks.all { sink(1) } }
}

private final class Listeners {
  var all: [(Int) -> Void] = []

  init(_ count: Int) {
    for _ in 0..<count { all.append { received &+= $0 } }
  }
}

/// One value through so many operators: every other one lets it pass.
func chain(of stages: Int) -> Trial {
  Trial(
    name: "Swift: one of \(stages) stage\(stages == 1 ? "" : "s")", share: stages,
    participants: [
      ("", ourChain(stages)), ("OpenCombine", openCombineChain(stages)),
      ("closures", closureChain(stages)),
    ])
}

private func ourChain(_ stages: Int) -> () -> Void {
  let signal = Signal<Int>()
  var stream: any ValueStream<Int> = signal
  for stage in 0..<stages {
    stream = stage % 2 == 0 ? stream.map { $0 &+ 1 } : stream.filter { $0 > 0 }
  }
  let connection = stream.subscribe { received &+= $0 }
  return {
    signal.send(1)
    withExtendedLifetime(connection) {}
  }
}

private func openCombineChain(_ stages: Int) -> () -> Void {
  let subject = PassthroughSubject<Int, Never>()
  var stream = subject.eraseToAnyPublisher()
  for stage in 0..<stages {
    stream =
      stage % 2 == 0
      ? stream.map { $0 &+ 1 }.eraseToAnyPublisher()
      : stream.filter { $0 > 0 }.eraseToAnyPublisher()
  }
  let subscription = stream.sink { received &+= $0 }
  return {
    subject.send(1)
    withExtendedLifetime(subscription) {}
  }
}

private func closureChain(_ stages: Int) -> () -> Void {
  var next: (Int) -> Void = { received &+= $0 }
  for stage in (0..<stages).reversed() {
    let sink = next
    next = stage % 2 == 0 ? { sink($0 &+ 1) } : { if $0 > 0 { sink($0) } }
  }
  let first = next
  return { first(1) }
}
