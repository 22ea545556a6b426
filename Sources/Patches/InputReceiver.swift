import Gathering
import Ground

/// What receives the values of an input, on the loop.
///
/// It is released once, after the last call (patches L40).
protocol InputReceiver: AnyObject, Sendable {
  /// Receives one value; throws if it fails.
  func receive(_ sample: Sample) throws
}

/// A function as a receiver. It is given its patch, which it must not own.
final class HandlerReceiver: InputReceiver {
  private let call: Patch.Handler
  private weak let patch: Patch?

  init(_ call: @escaping Patch.Handler, in patch: Patch) {
    self.call = call
    self.patch = patch
  }

  func receive(_ sample: Sample) throws {
    if let patch { try call(patch, sample) }
  }
}

/// The error a handler throws to give its failure a code of its own.
public struct HandlerFailure: Error, Sendable {
  /// The code, below 0.
  public var code: Int32
  /// The failure, as one clause.
  public var message: String
  /// Whether it only passes on that the cascade is full, which was announced where that happened.
  public var isRefusal: Bool

  /// A failure.
  public init(code: Int32, message: String, isRefusal: Bool = false) {
    self.code = code
    self.message = message
    self.isRefusal = isRefusal
  }
}
