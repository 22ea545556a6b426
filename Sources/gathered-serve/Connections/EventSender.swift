import NIOCore
import NIOHTTP1
import NIOPosix
import Serving
import Synchronization

/// Sends a stream of events as fast as its client takes them.
///
/// It belongs to the loop of its channel.
final class EventSender {
  private static let part = 16 << 10

  private let stream: any LiveAnswer
  private let channel: any Channel
  private let server: Server
  /// Whether a look at the stream is on its way already.
  private let isCalled = WakeFlag()
  private var pulse: Scheduled<Void>?
  private var comment: RepeatedTask?
  private var isOver = false

  init(_ stream: any LiveAnswer, on channel: any Channel, _ server: Server) {
    self.stream = stream
    self.channel = channel
    self.server = server
  }

  /// Starts the stream, and sends from then on.
  func begin() {
    write(Array("retry: 2000\n\n".utf8))
    let (stream, isCalled, loop) = (stream, isCalled, channel.eventLoop)
    let bound = NIOLoopBound(self, eventLoop: loop)
    let time = TimeAmount.nanoseconds(Limits.commentTime)
    comment = loop.scheduleRepeatedTask(initialDelay: time, delay: time) { _ in
      stream.comment()
      bound.value.drain()
    }
    server.waits.begin { [waits = server.waits] in
      stream.begin {
        if isCalled.raise() { waits.hand(to: loop) { bound.value.look() } }
      }
    }
    // Last: where that finds the client gone, all of the above is ended.
    channel.flush()
  }

  /// Sends what waits, as far as the client takes it.
  func drain() {
    if isOver { return }
    var hasWritten = false
    while channel.isWritable {
      let text = stream.take(upTo: Self.part)
      if text.isEmpty { break }
      write(text)
      hasWritten = true
    }
    if hasWritten { channel.flush() }
    if channel.isWritable, stream.isEnded { finish() }
  }

  /// Lets go of the stream.
  func clientIsGone() {
    isOver = true
    pulse?.cancel()
    comment?.cancel()
    let stream = stream
    server.pool.submit { _ in stream.finish() }
  }

  private func look() {
    isCalled.lower()
    drain()
    if pulse == nil { setPulse() }
  }

  private func setPulse() {
    pulse = nil
    guard !isOver, let interval = stream.pulseInterval else { return }
    let (stream, bound) = (stream, NIOLoopBound(self, eventLoop: channel.eventLoop))
    // All streams at the same moments, so that the loop is woken once for all of them.
    let (now, step) = (NIODeadline.now().uptimeNanoseconds, UInt64(interval))
    let next = NIODeadline.uptimeNanoseconds((now / step + 1) * step)
    pulse = channel.eventLoop.scheduleTask(deadline: next) {
      stream.pulse()
      bound.value.drain()
      bound.value.setPulse()
    }
  }

  private func write(_ text: [UInt8]) {
    let buffer = channel.allocator.buffer(bytes: text)
    channel.write(HTTPServerResponsePart.body(.byteBuffer(buffer)), promise: nil)
  }

  private func finish() {
    clientIsGone()
    let (server, channel) = (server, channel)
    channel.writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { _ in
      server.closeGently(channel)
    }
  }
}

/// Whether something was asked for already.
private final class WakeFlag: Sendable {
  private let isUp = Atomic(false)

  /// True for the caller who raised it.
  func raise() -> Bool { !isUp.exchange(true, ordering: .acquiringAndReleasing) }

  func lower() { isUp.store(false, ordering: .releasing) }
}
