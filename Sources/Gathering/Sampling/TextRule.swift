public import Values

/// What a text of the kernel means as a payload (sources V6, V7).
///
/// White space around it is trimmed; empty text is `noData`; what does not parse is `failed` with
/// the text quoted.
public struct TextRule: Sendable {
  private let meaning: @Sendable (ArraySlice<UInt8>) -> Outcome
  /// What becomes of a plain whole number, where nothing but the number counts.
  private let form: NumberForm?

  /// A rule of its own for trimmed, non-empty text.
  public init(_ meaning: @escaping @Sendable (_ trimmed: ArraySlice<UInt8>) -> Outcome) {
    self.meaning = meaning
    form = nil
  }

  /// A rule that takes most whole numbers as they are.
  package init(_ form: NumberForm, _ meaning: @escaping @Sendable (ArraySlice<UInt8>) -> Outcome) {
    self.meaning = meaning
    self.form = form
  }

  /// How a whole number becomes a payload.
  package enum NumberForm: Sendable {
    /// As it is, from a least one on.
    case whole(from: Int64)
    /// Times one number over another.
    case scaled(Double, over: Double)
  }

  /// A payload that is a number.
  package enum Number {
    case whole(Int64)
    case real(Double)
  }

  /// The number a plain text is: digits, a sign before them and a newline behind them. Nil where it
  /// takes more to know what the text means.
  package func number(of text: ArraySlice<UInt8>) -> Number? {
    guard let form, let number = Self.plainNumber(text) else { return nil }
    switch form {
    case .whole(let least): return number >= least ? .whole(number) : nil
    case .scaled(let factor, let divisor): return .real(Double(number) * factor / divisor)
    }
  }

  private static func plainNumber(_ text: ArraySlice<UInt8>) -> Int64? {
    text.withUnsafeBufferPointer { bytes in
      var end = bytes.count
      if end > 0, bytes[end - 1] == 10 { end -= 1 }
      let isNegative = end > 0 && bytes[0] == UInt8(ascii: "-")
      let start = isNegative ? 1 : 0
      // Eighteen digits fit; longer numbers take the slow way.
      guard start < end, end - start <= 18 else { return nil }
      var number: Int64 = 0
      for index in start..<end {
        let digit = bytes[index] &- UInt8(ascii: "0")
        if digit > 9 { return nil }
        number = number &* 10 &+ Int64(digit)
      }
      return isNegative ? 0 &- number : number
    }
  }

  /// What a text means.
  public func callAsFunction(_ text: ArraySlice<UInt8>) -> Outcome {
    let range = NumberText.trimmed(text.span)
    let trimmed = text[text.startIndex + range.lowerBound..<text.startIndex + range.upperBound]
    return trimmed.isEmpty ? .noData("empty text") : meaning(trimmed)
  }

  /// A whole number, times a factor; overflow is `failed`.
  public static func integer(times factor: Int64 = 1) -> TextRule {
    let meaning: @Sendable (ArraySlice<UInt8>) -> Outcome = { text in
      guard let number = try? NumberText.signed(text.span) else { return .unparsable(text) }
      let (product, overflow) = number.multipliedReportingOverflow(by: factor)
      return overflow ? .unparsable(text) : .ok(.int(product))
    }
    return factor == 1 ? TextRule(.whole(from: .min), meaning) : TextRule(meaning)
  }

  /// A whole number times one exact number over another, as a double.
  ///
  /// The product is taken before the division, so nothing is lost (catalogue 3.1).
  public static func scaled(times factor: Double = 1, over divisor: Double = 1) -> TextRule {
    TextRule(.scaled(factor, over: divisor)) { text in
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
