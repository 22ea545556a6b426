/// An error in the options of a call. The call has had no effect.
package struct OptionError: Error, Equatable {
  /// What is wrong, in one sentence.
  package let message: String

  package init(_ message: String) { self.message = message }
}
