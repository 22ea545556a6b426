import Streams
public import Values

extension DynamicStream {
  /// The operators `apply` knows: a list of `{name, summary, of, options}`, in which `of` is
  /// `stream` or `observable`.
  ///
  /// An option is `{name, hint, unit?, least?, most?, default?, required}`; of those of `window`,
  /// `moving_average` and `low_pass` exactly one is given, of those of `batch` at least one.
  public static var operators: [Value] {
    OperatorName.allCases.map { .dictionary(OperatorDescription.of($0).dictionary) }
  }
}

extension OperatorDescription {
  fileprivate var dictionary: ValueDictionary {
    let rows = options.enumerated().map { index, option in
      Value.dictionary(option.dictionary(isRequired: isRequired(index)))
    }
    return ValueDictionary([
      ("name", .string(name.rawValue)), ("summary", .string(summary)),
      ("of", .string(needsObservable ? "observable" : "stream")), ("options", .list(rows)),
    ])
  }

  private func isRequired(_ index: Int) -> Bool {
    if case .first(let number) = need { index < number } else { false }
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
      row["most"] = .double(range.upperBound)
    case .flag(let standard):
      row["hint"] = .string("bool")
      row["default"] = .bool(standard)
    case .value: row["hint"] = .string("any")
    }
    row["required"] = .bool(isRequired)
    return row
  }
}
