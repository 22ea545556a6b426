import NIOCore
import Serving

/// Watches the bytes in front of the parser: how many a header has, how long it and its body take,
/// and whether they are HTTP at all (serve W16).
final class HeadGuard: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum Phase {
    /// Nothing of a request has come.
    case waiting
    /// Some of its header.
    case header(bytes: Int)
    /// Its header was complete; what follows is its body.
    case body
    /// It was refused, and what still comes is dropped.
    case refused
  }

  private let server: Server
  private var phase = Phase.waiting
  private var timer: Scheduled<Void>?

  init(_ server: Server) { self.server = server }

  func channelActive(context: ChannelHandlerContext) {
    awaitRequest(context.channel)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data)
    switch phase {
    case .refused: return
    case .body: break
    case .waiting:
      // The first byte of a handshake of TLS.
      if bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) == 0x16 {
        server.log.note("\(server.name(of: context.channel)): this looks like TLS: use http://")
        let refusal = Refusal(.parse, "this is no HTTP", remedy: "use http://")
        return refuse(refusal, on: context.channel)
      }
      phase = .header(bytes: bytes.readableBytes)
      setTimer(Limits.headTime, on: context.channel) {
        Refusal(
          .timeout, "the header took more than 10 s", status: .requestTimeout)
      }
    case .header(let before): phase = .header(bytes: before + bytes.readableBytes)
    }
    context.fireChannelRead(data)
    if case .header(let count) = phase, count > Limits.headBytes {
      let refusal = Refusal(
        .limit, "the header has more than \(Limits.headBytes) bytes", status: .fieldsTooLarge)
      refuse(refusal, on: context.channel)
    }
  }

  /// The header has come whole.
  func headIsThere(on channel: any Channel) {
    timer?.cancel()
    if case .refused = phase { return }
    phase = .body
    setTimer(Limits.idleTime, on: channel) {
      Refusal(.timeout, "the body took more than 60 s", status: .requestTimeout)
    }
  }

  /// The body has come whole.
  func bodyIsThere() {
    if case .body = phase { timer?.cancel() }
  }

  /// The last answer is out; the next request may come.
  func awaitRequest(_ channel: any Channel) {
    if case .refused = phase { return }
    phase = .waiting
    setTimer(Limits.idleTime, on: channel) { nil }
  }

  /// Answers without the parser, and closes.
  func refuse(_ refusal: Refusal, on channel: any Channel) {
    if case .refused = phase { return }
    phase = .refused
    timer?.cancel()
    // When a client has gone, the parser may still find something wrong in what it had sent.
    guard channel.isActive else { return }
    server.write(refusal, asLastOn: channel)
  }

  /// Refuses or, without a refusal, closes after a time.
  private func setTimer(
    _ time: Int64, on channel: any Channel, _ refusal: @escaping @Sendable () -> Refusal?
  ) {
    timer?.cancel()
    let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
    timer = channel.eventLoop.scheduleTask(in: .nanoseconds(time)) {
      if let refusal = refusal() {
        bound.value.refuse(refusal, on: channel)
      } else {
        channel.close(promise: nil)
      }
    }
  }
}
