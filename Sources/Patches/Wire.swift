import Ground
import Streams

/// A wire that was made.
public struct Wire: Equatable, Sendable {
  /// The output it comes from; empty for a stream that is no output of a patch.
  public let output: String
  /// The input it leads to.
  public let input: String
  /// Whether it closes a cycle, and so does not keep its upstream alive.
  public let isFeedback: Bool
}

/// The record of a wire at its input.
struct WireRecord: Sendable {
  /// Numbers wires in the order they are made.
  let order: UInt64
  /// The output, by its name at its origin; empty for a stream.
  let output: String
  /// The port of the output, which records the wire too; nil for a stream.
  let source: Port?
  /// Kept unless the wire is a feedback wire.
  private(set) var upstream: Patch?
  /// The same patch in either case; nil for a stream.
  let origin: WeakPatch
  /// Whether it comes from an output of a patch on this loop.
  let isPatchWire: Bool
  /// Whether it closes a cycle.
  private(set) var isFeedback: Bool
  /// The graph, and the name there, through which the input was wired.
  var via: (graph: WeakPatch, name: String)?
  /// Nil while the wire is being made.
  var connection: Connection?

  /// The patch of the input as the caller sees it: its own patch, or a graph that offers it.
  func owner(at input: Port) -> Patch? { via?.graph.patch ?? input.patch }

  /// Makes it a feedback wire; the caller releases the upstream patch.
  mutating func loosen() -> Patch? {
    isFeedback = true
    return upstream.take()
  }

  /// Ends the wire after its input has removed it: no value passes over it, and its output removes
  /// it.
  func end() {
    source?.unwire(order)
    connection?.disconnect()
    // A consumer is a weak reference, which holds nothing.
    source?.state.withLock { $0.consumers[order] = nil }
    guard let origin = origin.patch, origin !== source?.patch else { return }
    // A lent wire holds nothing, either.
    origin.state.withLock { $0.lentWires[order] = nil }
  }

  /// Whether values may still come.
  var isAlive: Bool { !isPatchWire || origin.patch != nil }
}
