import Streams

private let length = 100_000

/// Elements by chance, the same each time.
private func elements(_ count: Int) -> [Int] {
  var state: UInt64 = 1
  return (0..<count).map { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 40)
  }
}

/// An element is put in at the end of a list that is heard of, and taken out again.
var appending: Trial {
  let (list, variable) = (ArrayVariable<Int>(), Variable(0))
  let connections = [
    list.changes.subscribe { received &+= $0.count },
    variable.futureValues.subscribe { received &+= $0 },
  ]
  let (plain, viewed) = (ArrayVariable<Int>(), ArrayVariable<Int>())
  let views = (viewed.map { $0 &+ 1 }, viewed.filter { $0 > 0 }, viewed.sorted())
  return Trial(
    name: "Swift: change a list", share: 2, aims: ["Variable.set": "<= 2 x"],
    participants: [
      ("", { withExtendedLifetime(connections) { putInAndOut(list) } }),
      (
        "Variable.set",
        {
          _ = variable.set(1)
          _ = variable.set(2)
        }
      ),
      ("unheard", { putInAndOut(plain) }),
      ("unheard, three views", { withExtendedLifetime(views) { putInAndOut(viewed) } }),
    ])
}

private func putInAndOut(_ list: ArrayVariable<Int>) {
  try? list.append(1)
  try? list.remove(at: 0)
}

/// One element is put into a hundred thousand that are filtered, and taken out again.
var filtering: Trial {
  let list = ArrayVariable(elements(length))
  return following(
    "Swift: filter 100000, one changes", list, list.filter { $0 % 2 == 0 }, runs: 10
  ) { filter_all($0, $1, $2) }
}

/// The same of elements that are in order.
var sorting: Trial {
  let list = ArrayVariable(elements(length))
  return following("Swift: sort 100000, one changes", list, list.sorted(), runs: 2) {
    sort_all($0, $1, $2)
  }
}

private func following(
  _ name: String, _ list: ArrayVariable<Int>, _ view: ArrayView<Int>, runs: Int,
  _ recompute: @escaping (UnsafePointer<Int>?, Int, UnsafeMutablePointer<Int>?) -> Int
) -> Trial {
  let connection = view.changes.subscribe { received &+= $0.count }
  let all = list.value
  var result = all
  return Trial(
    name: name, share: 2, runs: runs, aims: ["C, all anew": "<= 0.001 x"],
    participants: [
      (
        "",
        {
          try? list.insert(500, at: length / 2)
          try? list.remove(at: length / 2)
          withExtendedLifetime(connection) {}
        }
      ),
      (
        "C, all anew",
        {
          for _ in 0..<2 {
            received &+= all.withUnsafeBufferPointer { all in
              result.withUnsafeMutableBufferPointer { result in
                recompute(all.baseAddress, all.count, result.baseAddress)
              }
            }
          }
        }
      ),
    ])
}

/// Ten thousand modifications at places by chance become one change.
var merging: Trial {
  let count = 10_000
  let places = elements(count)
  let modifications = places.enumerated().map { index, place in
    ArrayModification(at: place % (length + index + 1), new: [place])
  }
  return Trial(
    name: "Swift: merge one of 10000", share: count, runs: 1,
    aims: ["one by one, of 1000": "<= 1000 ns"],
    participants: [
      (
        "",
        {
          let change = try? ArrayChange(count: length, modifications)
          received &+= change?.modifications.count ?? 0
        }
      ),
      (
        "one by one, of 1000",
        {
          for _ in 0..<10 {
            var change = ArrayChange<Int>(count: length)
            for modification in modifications.prefix(1000) {
              guard let step = try? ArrayChange(count: change.newCount, [modification]) else {
                return
              }
              change = change.merged(with: step)
            }
            received &+= change.modifications.count
          }
        }
      ),
    ])
}
