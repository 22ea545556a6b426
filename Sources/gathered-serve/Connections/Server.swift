import Ground
import NIOCore
import NIOHTTP1
import NIOPosix
import Serving
import Synchronization

/// The server: its loop, its workers, and its connections.
final class Server: Sendable {
  let interface: Interface
  let log: ServerLog
  /// Where answers are made that read something.
  let pool = NIOThreadPool(numberOfThreads: 4)
  let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  /// Where those are made that wait for a device or a daemon.
  let waits = PatientThreads()
  private let idle: IdleExit?
  private let hasRead = Atomic(false)

  init(_ interface: Interface, _ log: ServerLog, idle: IdleExit?) {
    self.interface = interface
    self.log = log
    self.idle = idle
    pool.start()
    idle?.isAlone(on: group.next())
  }

  /// The present moment for limits, in nanoseconds.
  var now: Int64 { Monitor<Void>.moment(after: 0) }

  /// Answers what reads something, on a thread of its own.
  func answer(_ request: HTTPRequest, _ admission: Admission) -> HTTPAnswer {
    defer {
      // The first look at a machine loads libraries, and makes what is used from then on.
      if !hasRead.exchange(true, ordering: .relaxed) { ProcessMemory.giveUpCleanPages() }
    }
    return interface.answer(request, admission)
  }

  /// Who is at the other end.
  func peer(of channel: any Channel) -> HTTPRequest.Peer {
    if case .unixDomainSocket? = channel.localAddress {
      return .process(isAdmitted: PeerCredentials.isAdmitted(on: channel))
    }
    return .address(channel.remoteAddress?.ipAddress ?? "")
  }

  /// Who is at the other end, for the log.
  func name(of channel: any Channel) -> String { channel.remoteAddress?.ipAddress ?? "a process" }

  /// Takes what listens; connections that come belong to it.
  func bootstrap() -> ServerBootstrap {
    ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.maxMessagesPerRead, value: 4)
      .childChannelOption(
        .writeBufferWaterMark, value: .init(low: 32 << 10, high: 64 << 10)
      )
      .childChannelInitializer { [self] channel in
        channel.eventLoop.makeCompletedFuture { try receive(channel) }
      }
  }

  private func receive(_ channel: any Channel) throws {
    let counts = interface.served.counts
    let count = counts.connectionCame()
    idle?.clientCame()
    let loop = channel.eventLoop
    channel.closeFuture.whenComplete { [self] _ in
      if counts.connectionWent() == 0 { idle?.isAlone(on: loop) }
    }
    if count > Limits.connections {
      let refusal = Refusal(
        .limit, "there are \(Limits.connections) connections already",
        remedy: "try again in a moment", fields: [HeaderField("Retry-After", "1")])
      let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
      // After the channel has become active.
      channel.eventLoop.execute { bound.value.write(refusal, asLastOn: channel) }
      return
    }
    let guardian = HeadGuard(self)
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderListSize = Limits.headBytes
    limits.maxHeaderFieldSize = Limits.headBytes
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandlers([StallGuard(), guardian])
    try pipeline.configureHTTPServerPipeline(
      withErrorHandling: false, withEncoderConfiguration: .init(),
      withDecoderLimitConfiguration: limits)
    try pipeline.addHandler(HTTPConnection(self, behind: guardian))
  }

  /// Answers below HTTP's parser, and closes.
  func write(_ refusal: Refusal, asLastOn channel: any Channel) {
    let answer = HTTPAnswer(refusal)
    guard case .bytes(let body) = answer.body else { return }
    var text = "HTTP/1.1 \(HTTPResponseStatus(statusCode: answer.status))\r\n"
    let own = [HeaderField("Content-Length", "\(body.count)"), HeaderField("Connection", "close")]
    for field in answer.fields + interface.securityFields + own {
      text += "\(field.name): \(field.value)\r\n"
    }
    let bytes = ByteBuffer(bytes: Array((text + "\r\n").utf8) + body)
    // Behind the encoder, which is not asked.
    guard let head = try? channel.pipeline.syncOperations.context(handlerType: HeadGuard.self)
    else {
      channel.writeAndFlush(bytes, promise: nil)
      return closeGently(channel)
    }
    head.writeAndFlush(NIOAny(bytes), promise: nil)
    closeGently(channel)
  }

  /// Closes after the client has, or has had a second to read: what it still sends would otherwise
  /// have the kernel throw the answer away.
  func closeGently(_ channel: any Channel) {
    channel.close(mode: .output, promise: nil)
    channel.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
  }

  /// Ends the streams, the threads and the connections: the loop last, for all others hand over to
  /// it what they have.
  func stop() {
    interface.served.close()
    waits.stop()
    try? pool.syncShutdownGracefully()
    try? group.syncShutdownGracefully()
  }
}
