import Ground
public import Values

extension Context {
  /// Every kind, instance, reason, remedy and backend, and every mechanism; without side effects
  /// (sources A6). Withheld values are named nowhere.
  ///
  /// `{version, kinds: [{kind, name, backend, availability, reason, detail, errno, remedy,
  /// instances: […]}], mechanisms: [{name, version, reason, remedy}]}`.
  public func report() throws(SourceError) -> ValueDictionary {
    try check()
    var kinds: [Value] = []
    for index in catalogue.indices {
      refreshList(index)
      kinds.append(.dictionary(kindReport(index)))
    }
    var report = ValueDictionary()
    report["version"] = .string(Version.text)
    report["kinds"] = .list(kinds)
    report["mechanisms"] = .list(provider.mechanisms.map { .dictionary($0.dictionary) })
    return report
  }

  private func kindReport(_ index: Int) -> ValueDictionary {
    let (availability, instances) = core.withLock { state in
      (state.kindAvailability(index), state.descriptions(of: index))
    }
    var row = ValueDictionary()
    row["kind"] = .string(catalogue[index].kind)
    row["name"] = .string(catalogue[index].name)
    availability.write(into: &row, full: true)
    row["instances"] = .list(instances.map { .dictionary($0.dictionary(full: true)) })
    return row
  }
}

extension SourceDescription {
  /// The members of a list row: id, kind, name, label, availability, reason, detail, remedy; with
  /// `full` also backend and errno.
  public func dictionary(full: Bool = false) -> ValueDictionary {
    var row = ValueDictionary()
    row["id"] = .string(id.description)
    row["kind"] = .string(id.kind)
    row["name"] = .string(name)
    row["label"] = .string(label)
    availability.write(into: &row, full: full)
    return row
  }
}

extension Availability {
  /// Writes the group's and the state's word, the detail and the remedy.
  fileprivate func write(into row: inout ValueDictionary, full: Bool) {
    if full { row["backend"] = .string(backend) }
    row["availability"] = .string(group.word)
    row["reason"] = .string(state.rawValue)
    row["detail"] = .string(detail)
    if full { row["errno"] = .int(Int64(errno)) }
    row["remedy"] = .string(remedy)
  }
}

extension Availability.Group {
  /// The word of the specification's table.
  public var word: String {
    switch self {
    case .available: "available"
    case .requiresPermissionsPrompt: "requiresPermissionsPrompt"
    case .permissionDenied: "permissionDenied"
    case .restricted: "restricted"
    case .unavailable: "unavailable"
    }
  }
}

extension Mechanism {
  fileprivate var dictionary: ValueDictionary {
    var row = ValueDictionary()
    row["name"] = .string(name)
    row["version"] = .string(version)
    row["reason"] = .string(reason)
    row["remedy"] = .string(remedy)
    return row
  }
}
