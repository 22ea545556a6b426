import Gathering

/// A function as a receiver. It is given its patch, which it must not own.
final class HandlerReceiver: InputReceiver {
  private let call: Patch.Handler
  private weak let patch: Patch?

  init(_ call: @escaping Patch.Handler, in patch: Patch) {
    self.call = call
    self.patch = patch
  }

  func receive(_ sample: Sample, _ results: inout KindResults) throws {
    if let patch { try call(patch, sample) }
  }
}
