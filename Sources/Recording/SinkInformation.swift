public import Gathering

/// What a sink has taken in and done with it so far; what does not apply is nil.
public struct SinkInformation: Equatable, Sendable {
  /// Where it stands with its target.
  public enum State: String, Sendable {
    /// A file is open.
    case open
    /// A broker is being reached for the first time, or again.
    case connecting
    case connected
    /// The next attempt to reach the broker waits, for the reason.
    case waiting
    /// Another publisher has taken its name over; it does not try again.
    case superseded
    case closed
  }

  /// Where it stands with its target.
  public var state = State.open
  /// The present failure; nil if there is none.
  public var failure: SourceError?
  /// How many rows it has taken in.
  public var rowsTaken: UInt64 = 0
  /// How many rows are lost.
  public var rowsLost: UInt64 = 0
  /// How many rows were handed to the broker, or written.
  public var rowsSent: UInt64 = 0
  /// How many rows the broker has, or the device.
  public var rowsAcknowledged: UInt64 = 0
  /// How many bytes were handed on.
  public var bytesSent: UInt64 = 0
  /// In how many messages.
  public var messagesSent: UInt64?
  /// How many rows a spool holds for the broker.
  public var spooledRows: UInt64?
  /// How many bytes it holds.
  public var spooledBytes: UInt64?
  /// How often it was connected.
  public var connections: UInt64?
  /// Since when it is connected, on CLOCK_REALTIME in nanoseconds.
  public var connectedSince: Int64?

  /// Of a sink that has taken nothing.
  public init() {}
}

/// What a recorder asks of where its rows go.
package protocol RecorderTarget: Sendable {
  /// Throws why a source cannot be taken in.
  func admit(_ source: Source) throws(SourceError)
  /// Throws why the streams of a name cannot be.
  func admit(streamNamed name: String) throws(SourceError)
  /// How it stands.
  var information: SinkInformation { get }
  /// Ends what is left when the recorder is let go of.
  func abandon()
}
