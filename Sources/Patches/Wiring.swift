/// State that is used only while the lock of a loop's wiring is held.
struct Wiring: Sendable {
  /// How many patches and ties were looked at by all searches so far: tests see by it how the work
  /// grows.
  var visitCount = 0
}
