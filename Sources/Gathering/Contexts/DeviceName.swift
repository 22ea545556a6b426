/// The name of another machine in ids, as its `ip:` URI writes it (sources N9).
struct DeviceName: Sendable {
  /// The text ids carry behind `@`.
  let text: String
  private let host: String

  /// The machine of an `ip:` URI's `HOST[:PORT]`.
  init(host text: String) {
    self.text = text
    host = (try? ContextURI.parts(ofHost: text).0) ?? text
  }

  /// Whether an id's device is this one: its text, or the host without the port.
  func means(_ device: String) -> Bool { device == text || device == host }
}
