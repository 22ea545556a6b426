/// Makes names of instances differ (sources N7).
enum InstanceNames {
  /// The names in order, the second of equal ones with `~2` and so on; no device may call itself
  /// `aggregate`.
  static func distinct(_ names: [String]) -> [String] {
    var used: Set<String> = ["aggregate"]
    var counts: [String: Int] = ["aggregate": 0]
    return names.map { name in
      var candidate = name
      while !used.insert(candidate).inserted {
        let count = counts[name, default: 1] + 1
        counts[name] = count
        candidate = "\(name)~\(count)"
      }
      return candidate
    }
  }
}
