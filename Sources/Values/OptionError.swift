/// Why options cannot be taken: the caller's mistake, of which nothing has come.
package struct OptionError: Error, Equatable {
  /// One plain sentence.
  package let message: String

  package init(_ message: String) { self.message = message }
}
