import NIOCore
import Serving

/// Cuts a client off that takes nothing for long while something waits for it (serve W17): an
/// answer, or events.
final class StallGuard: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  /// How much the client has taken, as far as the kernel knows.
  private struct Progress: Equatable {
    let sent: Int
    let queue: Memory
  }

  /// What SO_MEMINFO of socket(7) tells, among it how much memory waits to be sent.
  private struct Memory: Equatable, Sendable {
    var received: (UInt32, UInt32) = (0, 0)
    var sent: UInt32 = 0
    var limit: UInt32 = 0
    var reserve: UInt32 = 0
    var queued: UInt32 = 0
    var rest: (UInt32, UInt32, UInt32) = (0, 0, 0)

    static func == (one: Memory, other: Memory) -> Bool {
      one.sent == other.sent && one.queued == other.queued
    }
  }

  private static let memoryOption: CInt = 55

  private var given = 0
  private var timer: Scheduled<Void>?

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    given += unwrapOutboundIn(data).readableBytes
    context.write(data, promise: promise)
  }

  func flush(context: ChannelHandlerContext) {
    context.flush()
    if timer == nil, Self.waiting(on: context.channel) > 0 { look(at: context.channel, nil) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    context.fireChannelInactive()
  }

  /// Looks again after some time; nothing may wait then, or less than at the last look.
  private func look(at channel: any Channel, _ last: Progress?) {
    let progress = Progress(
      sent: given - Self.waiting(on: channel), queue: Self.memory(of: channel))
    if progress == last { return channel.close(promise: nil) }
    let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
    timer = channel.eventLoop.scheduleTask(in: .nanoseconds(Limits.stallTime)) {
      bound.value.timer = nil
      if Self.waiting(on: channel) > 0 { bound.value.look(at: channel, progress) }
    }
  }

  /// Bytes that the kernel has not taken yet.
  private static func waiting(on channel: any Channel) -> Int {
    (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
  }

  private static func memory(of channel: any Channel) -> Memory {
    guard let provider = channel as? any SocketOptionProvider else { return Memory() }
    let answer: EventLoopFuture<Memory> = provider.unsafeGetSocketOption(
      level: .socket, name: NIOBSDSocket.Option(rawValue: memoryOption))
    var found = Memory()
    answer.assumeIsolated().whenSuccess { found = $0 }
    return found
  }
}
