import Values

extension [Instance] {
  /// The same instances, no two of one name: in their order, those whose name is taken already end
  /// in `~2`, `~3` … A suffix that would make the name of another is passed over, so that none
  /// changes its name for a namesake. A device that calls itself `aggregate` is `aggregate~1`
  /// (sources N7).
  public func withDistinctNames() -> [Instance] {
    // Most lists are, and to see it takes less than to make a new one.
    var names = Set(map { ExactText($0.name) })
    let isPlain = { (one: Instance) in one.isAggregate || one.name != Instance.aggregateName }
    if names.count == count, allSatisfy(isPlain) { return self }
    var taken: Set<ExactText> = []
    // The next number of each name: a thousand namesakes are not counted through a thousand times.
    var numbers: [ExactText: Int] = [:]
    return map { instance in
      let name = ExactText(instance.name)
      if instance.isAggregate || (isPlain(instance) && taken.insert(name).inserted) {
        return instance
      }
      var instance = instance
      let plain = instance.name
      var number = numbers[name] ?? (plain == Instance.aggregateName ? 1 : 2)
      while names.contains(ExactText("\(plain)~\(number)")) { number += 1 }
      instance.name = "\(plain)~\(number)"
      numbers[name] = number + 1
      names.insert(ExactText(instance.name))
      return instance
    }
  }
}
