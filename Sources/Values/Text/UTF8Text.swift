extension RandomAccessCollection<UInt8> {
  /// How many bytes from the start are whole, valid UTF-8 characters.
  package var lengthOfValidUTF8: Int {
    var decoder = Unicode.UTF8.ForwardParser()
    var iterator = makeIterator()
    var length = 0
    while case .valid(let scalar) = decoder.parseScalar(from: &iterator) {
      length += scalar.count
    }
    return length
  }

  /// The text of these bytes, with U+FFFD for whatever is not UTF-8 (sources V7).
  public var lenientText: String {
    String(decoding: self, as: UTF8.self)
  }

  /// The first 40 characters of these bytes in quotation marks, to name them in a reason (V7).
  ///
  /// Control characters become U+FFFD, so that a reason stays one line; a cut is marked by `…`.
  public var quotedExcerpt: String {
    let limit = 40
    // A character may be arbitrarily long; so many bytes hold any 40 that are worth quoting.
    let head = prefix(limit * 16)
    let text = String(decoding: head, as: UTF8.self).withoutControlCharacters
    let isCut = head.count < count || text.count > limit
    return isCut ? "\"\(text.prefix(limit))…\"" : "\"\(text)\""
  }
}

extension String {
  /// The text with U+FFFD in place of each control character (C API R10).
  var withoutControlCharacters: String {
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return self }
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    var scalars = String.UnicodeScalarView()
    for scalar in unicodeScalars { scalars.append(scalar.isControl ? "\u{FFFD}" : scalar) }
    return String(scalars)
  }
}

extension Unicode.Scalar {
  /// Whether it is a control character: of the general category Cc, which never changes.
  package var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}
