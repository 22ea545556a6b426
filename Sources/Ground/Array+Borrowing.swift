extension Array where Element: AnyObject {
  /// Calls a body with the object at a place without counting a reference to it: the list keeps it,
  /// and must not be changed by the body.
  @inlinable @inline(__always)
  public func borrow<Answer>(_ place: Int, _ body: (Element) -> Answer) -> Answer {
    Unmanaged.passUnretained(self[place])._withUnsafeGuaranteedRef(body)
  }
}
