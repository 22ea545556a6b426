import Streams
public import Values

extension DynamicStream {
  /// The operators `apply` and `combine` know: a list of `{name, summary, by, least_inputs,
  /// most_inputs?, needs_observable, collections?, need, options}`.
  ///
  /// `by` is the function that takes the name: `apply` or `combine`. `most_inputs` is absent where
  /// any number of streams will do. `collections`, of `list` and `set`, says of which type the
  /// streams must be, and is absent where that may be any. `need` says which options must be
  /// given: `required` (those that say so), `exactlyOne` or `atLeastOne`. An option is `{name,
  /// hint, unit?, least?, most?, default?, required}`.
  public static var operators: [Value] {
    let rows =
      OperatorName.allCases.map { OperatorDescription.of($0).dictionary }
      + Merging.allCases.map { combining($0.rawValue, $0.summary, of: 1, to: nil) }
      + Joining.allCases.map {
        row(
          $0.rawValue, $0.summary, by: "combine", inputs: (2, 6), needsObservable: true,
          collections: [$0.collection])
      }
      + Combination.allCases.map { combination in
        let counts = combination.counts
        return combining(
          combination.rawValue, combination.summary, of: counts.lowerBound, to: counts.upperBound)
      }
    return rows.map { .dictionary($0) }
  }

  private static func combining(
    _ name: String, _ summary: String, of least: Int, to most: Int?
  ) -> ValueDictionary {
    row(name, summary, by: "combine", inputs: (least, most))
  }

  fileprivate static func row(
    _ name: String, _ summary: String, by function: String, inputs: (least: Int, most: Int?),
    needsObservable: Bool = false, collections: [OperatorDescription.Collection] = [],
    need: OperatorDescription.Need = .first(0), options: [Value] = []
  ) -> ValueDictionary {
    var row = ValueDictionary([
      ("name", .string(name)), ("summary", .string(summary)), ("by", .string(function)),
      ("least_inputs", .int(Int64(inputs.least))),
    ])
    if let most = inputs.most { row["most_inputs"] = .int(Int64(most)) }
    row["needs_observable"] = .bool(needsObservable)
    if !collections.isEmpty {
      row["collections"] = .list(collections.map { .string($0.rawValue) })
    }
    row["need"] = .string(need.word)
    row["options"] = .list(options)
    return row
  }
}

extension OperatorDescription {
  fileprivate var dictionary: ValueDictionary {
    let rows = options.enumerated().map { index, option in
      Value.dictionary(option.dictionary(isRequired: isRequired(index)))
    }
    return DynamicStream.row(
      name.rawValue, summary, by: "apply", inputs: (1, 1), needsObservable: needsObservable,
      collections: collections, need: need, options: rows)
  }

  private func isRequired(_ index: Int) -> Bool {
    if case .first(let number) = need { index < number } else { false }
  }
}

extension OperatorDescription.Need {
  fileprivate var word: String {
    switch self {
    case .first: "required"
    case .exactlyOne: "exactlyOne"
    case .atLeastOne: "atLeastOne"
    }
  }
}

extension OperatorOption {
  fileprivate func dictionary(isRequired: Bool) -> ValueDictionary {
    var row = ValueDictionary([("name", .string(nameInC))])
    switch kind {
    case .duration:
      row["hint"] = .string("int")
      row["unit"] = .string("ns")
      row["least"] = .int(1)
    case .count:
      row["hint"] = .string("int")
      row["least"] = .int(1)
      row["most"] = .int(Self.mostValues)
    case .number(let range):
      row["hint"] = .string("double")
      row["least"] = .double(range.lowerBound)
      if range.upperBound < .greatestFiniteMagnitude { row["most"] = .double(range.upperBound) }
    case .flag(let standard):
      row["hint"] = .string("bool")
      row["default"] = .bool(standard)
    case .value: row["hint"] = .string("any")
    }
    row["required"] = .bool(isRequired)
    return row
  }
}
