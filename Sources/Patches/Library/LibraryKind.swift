import Values

/// A kind of the library: null passes through it, and options are set one by one.
protocol LibraryKind: PatchKind {
  init()
  /// Looks at the options as a whole, once they are set.
  mutating func check(_ options: PatchOptions) throws(PatchError)
}

extension LibraryKind {
  static var passesNull: Bool { true }

  init(_ options: PatchOptions) throws(PatchError) {
    self.init()
    for (name, value) in options.given { try change(name, to: value) }
    try check(options)
  }

  mutating func check(_ options: PatchOptions) throws(PatchError) {}
}

/// Two options of which one is given at most, the newer one holding later.
func onlyOne(_ first: String, _ second: String, in options: PatchOptions) throws(PatchError) {
  if options.given[first] != nil, options.given[second] != nil {
    throw .badOption(second, reason: "it excludes \(first)")
  }
}
