public import Values

/// What a text of the kernel means as a payload (sources V6, V7).
///
/// White space around it is trimmed; empty text is `noData`; what does not parse is `failed` with
/// the text quoted.
public struct TextRule: Sendable {
  private let meaning: @Sendable (ArraySlice<UInt8>) -> Outcome

  /// A rule of its own for trimmed, non-empty text.
  public init(_ meaning: @escaping @Sendable (_ trimmed: ArraySlice<UInt8>) -> Outcome) {
    self.meaning = meaning
  }

  /// What a text means.
  public func callAsFunction(_ text: ArraySlice<UInt8>) -> Outcome {
    let range = NumberText.trimmed(text.span)
    let trimmed = text[text.startIndex + range.lowerBound..<text.startIndex + range.upperBound]
    return trimmed.isEmpty ? .noData("empty text") : meaning(trimmed)
  }

  /// A whole number, times a factor; overflow is `failed`.
  public static func integer(times factor: Int64 = 1) -> TextRule {
    TextRule { text in
      guard let number = try? NumberText.signed(text.span) else { return .unparsable(text) }
      let (product, overflow) = number.multipliedReportingOverflow(by: factor)
      return overflow ? .unparsable(text) : .ok(.int(product))
    }
  }

  /// A whole number times one exact number over another, as a double.
  ///
  /// The product is taken before the division, so nothing is lost (catalogue 3.1).
  public static func scaled(times factor: Double = 1, over divisor: Double = 1) -> TextRule {
    TextRule { text in
      guard let number = try? NumberText.signed(text.span) else { return .unparsable(text) }
      return .ok(.double(Double(number) * factor / divisor))
    }
  }

  /// Text, with U+FFFD for bytes that are not UTF-8.
  public static let text = TextRule { .ok(.string($0.lenientText)) }

  /// 0 or 1; any other number is `failed`.
  public static let flag = TextRule { text in
    switch try? NumberText.signed(text.span) {
    case 0: .ok(.bool(false))
    case 1: .ok(.bool(true))
    default: .unparsable(text)
    }
  }

  /// A word of the kernel and ours for it; a word we do not know is passed on, in lower case
  /// with underscores, and "unknown" is `noData` unless listed.
  public static func word(_ words: [String: String]) -> TextRule {
    TextRule { text in
      let word = text.lenientText
      if let ours = words[word] { return .ok(.string(ours)) }
      let plain = word.lowercased().split(whereSeparator: { $0 == " " || $0 == "-" })
        .joined(separator: "_")
      if let ours = words[plain] { return .ok(.string(ours)) }
      return plain == "unknown" ? .noData("reported as unknown") : .ok(.string(plain))
    }
  }

  /// The same rule with another look at the payload it gives.
  public func map(_ change: @escaping @Sendable (Value) -> Outcome) -> TextRule {
    TextRule { text in
      let outcome = self(text)
      return outcome.status == .ok ? change(outcome.value) : outcome
    }
  }
}

extension Outcome {
  /// Text that is not what its property declares.
  public static func unparsable(_ text: ArraySlice<UInt8>) -> Outcome {
    .failed("cannot read \(text.quotedExcerpt)", errno: SystemText.invalid)
  }
}
