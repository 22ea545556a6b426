import NIOCore
import NIOHTTP1
import NIOPosix
import Serving

/// One connection: takes requests, has them answered, and sends the answers, one after the other.
final class HTTPConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private enum Phase {
    /// No request is on its way.
    case idle
    /// A request whose body is still coming.
    case receiving(HTTPRequest, Admission)
    /// A request that is being answered.
    case answering
    /// A stream of events.
    case streaming(EventSender)
    /// It was refused while its body came; the rest is dropped.
    case refused
  }

  private let server: Server
  private let guardian: HeadGuard
  private var phase = Phase.idle
  private var version = HTTPVersion.http1_1
  private var isHead = false
  private var keepsAlive = true

  init(_ server: Server, behind guardian: HeadGuard) {
    self.server = server
    self.guardian = guardian
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): begin(head, context)
    case .body(let bytes): take(bytes, context)
    case .end: finish(context)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if case .streaming(let sender) = phase { sender.clientIsGone() }
    phase = .idle
    context.fireChannelInactive()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if case .streaming(let sender) = phase { sender.drain() }
    context.fireChannelWritabilityChanged()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case HTTPParserError.headerOverflow:
      let refusal = Refusal(
        .limit, "the header has more than \(Limits.headBytes) bytes", status: .fieldsTooLarge)
      guardian.refuse(refusal, on: context.channel)
    case is HTTPParserError:
      guardian.refuse(Refusal(.parse, "this is no HTTP: \(error)"), on: context.channel)
    default:
      // The client is gone.
      context.close(promise: nil)
    }
  }

  // MARK: Requests

  private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    guardian.headIsThere(on: context.channel)
    (version, isHead, keepsAlive) = (head.version, head.method == .HEAD, head.isKeepAlive)
    let request = HTTPRequest(
      head.method.rawValue, head.uri, fields: head.headers.map { ($0.name, $0.value) },
      from: server.peer(of: context.channel))
    let length = length(of: head)
    do throws(Refusal) {
      let admission = try server.interface.admit(request, at: server.now)
      if length != .max, length > Limits.bodyBytes { throw Self.tooLarge }
      phase = .receiving(request, admission)
    } catch {
      refuse(error, request, mayGoOn: length == 0, context)
    }
  }

  /// How long the body is said to be; `Int.max` where its parts say that.
  private func length(of head: HTTPRequestHead) -> Int {
    if head.headers.contains(name: "transfer-encoding") { return .max }
    return head.headers.first(name: "content-length").flatMap(Int.init) ?? 0
  }

  private func take(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    guard case .receiving(var request, let admission) = phase else { return }
    request.body += bytes.readableBytesView
    phase = .receiving(request, admission)
    if request.body.count > Limits.bodyBytes {
      refuse(Self.tooLarge, request, mayGoOn: false, context)
    }
  }

  private func finish(_ context: ChannelHandlerContext) {
    guardian.bodyIsThere()
    guard case .receiving(let request, let admission) = phase else {
      if case .refused = phase { phase = .idle }
      return
    }
    phase = .answering
    let interface = server.interface
    if interface.isQuick(admission) {
      return send(interface.answer(request, admission), context)
    }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    if interface.isPatient(admission) {
      do throws(Refusal) {
        return try server.waits.run(
          on: context.eventLoop, { [server] in server.answer(request, admission) },
          { answer in bound.value.0.send(answer, bound.value.1) })
      } catch {
        return send(interface.answer(request, refusing: error), context)
      }
    }
    server.pool.runIfActive(eventLoop: context.eventLoop) { [server] in
      server.answer(request, admission)
    }.whenComplete { result in
      let (connection, context) = bound.value
      switch result {
      case .success(let answer): connection.send(answer, context)
      case .failure: context.close(promise: nil)
      }
    }
  }

  private static var tooLarge: Refusal {
    Refusal(
      .limit, "the body has more than \(Limits.bodyBytes) bytes", status: .contentTooLarge)
  }

  /// Answers with a refusal; without `mayGoOn` what follows is not read.
  private func refuse(
    _ refusal: Refusal, _ request: HTTPRequest, mayGoOn: Bool, _ context: ChannelHandlerContext
  ) {
    if !mayGoOn { keepsAlive = false }
    phase = .refused
    send(server.interface.answer(request, refusing: refusal), context)
  }

  // MARK: Answers

  private func send(_ answer: HTTPAnswer, _ context: ChannelHandlerContext) {
    guard context.channel.isActive else { return discard(answer) }
    var fields = HTTPHeaders()
    for field in answer.fields + server.interface.securityFields {
      fields.add(name: field.name, value: field.value)
    }
    if !keepsAlive { fields.add(name: "Connection", value: "close") }
    let status = HTTPResponseStatus(statusCode: answer.status)
    switch answer.body {
    case .bytes(let bytes):
      if answer.status != 204 { fields.add(name: "Content-Length", value: "\(bytes.count)") }
      write(status, fields, context)
      if !isHead, !bytes.isEmpty { write(bytes, context) }
      end(context)
    case .parts(let length, let next):
      if let length { fields.add(name: "Content-Length", value: "\(length)") }
      write(status, fields, context)
      if isHead { return end(context) }
      if length == nil && version == .http1_0 { keepsAlive = false }
      sendParts(next, context)
    case .events(let stream):
      fields.add(name: "X-Accel-Buffering", value: "no")
      keepsAlive = false
      let sender = EventSender(stream, on: context.channel, server)
      // Before anything is sent: of a client that has gone, sending tells at once.
      phase = .streaming(sender)
      write(status, fields, context)
      sender.begin()
    }
  }

  private func discard(_ answer: HTTPAnswer) {
    if case .events(let stream) = answer.body { server.pool.submit { _ in stream.finish() } }
  }

  private func write(
    _ status: HTTPResponseStatus, _ fields: HTTPHeaders, _ context: ChannelHandlerContext
  ) {
    let head = HTTPResponseHead(version: version, status: status, headers: fields)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
  }

  private func write(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
    let buffer = context.channel.allocator.buffer(bytes: bytes)
    context.write(wrapOutboundOut(.body(.byteBuffer(buffer))), promise: nil)
  }

  /// Sends part after part, each when the one before is out.
  private func sendParts(
    _ next: @escaping @Sendable () throws -> [UInt8]?, _ context: ChannelHandlerContext
  ) {
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    server.pool.runIfActive(eventLoop: context.eventLoop) { try next() }.whenComplete { result in
      let (connection, context) = bound.value
      guard case .success(let part) = result else {
        // A cut answer is told by a cut connection.
        context.close(promise: nil)
        return
      }
      guard let part, context.channel.isActive else { return connection.end(context) }
      let buffer = context.channel.allocator.buffer(bytes: part)
      context.writeAndFlush(connection.wrapOutboundOut(.body(.byteBuffer(buffer))))
        .assumeIsolated().whenSuccess { connection.sendParts(next, context) }
    }
  }

  private func end(_ context: ChannelHandlerContext) {
    let isLast = !keepsAlive
    phase = .idle
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      let (connection, context) = bound.value
      if isLast {
        connection.server.closeGently(context.channel)
      } else {
        connection.guardian.awaitRequest(context.channel)
      }
    }
  }
}
