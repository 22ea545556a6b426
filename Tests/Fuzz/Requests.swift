import Gathering
import Glibc
import Machine
import Patches
import SourceKinds
import Values

@testable import Recording
@testable import Serving

/// Requests as clients send them, one behind the other: each is answered, and its answer is whole.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var rest = Input(data, count).bytes[...]
  var hasChanged = false
  for _ in 0..<4 {
    guard let line = RequestBytes(taking: &rest) else { break }
    for server in [Served.phone, .replay] { server.ask(line) }
    hasChanged = hasChanged || line.method == "POST" || line.method == "DELETE"
  }
  if hasChanged { Served.phone.tidy() }
  return 0
}

/// A request as the parser of HTTP hands it on.
private struct RequestBytes {
  let method: String
  let target: String
  var fields: [(name: String, value: String)] = []
  var body: [UInt8] = []

  /// Takes a request away; nil behind the last. A body goes to the end of its line, so that one of
  /// another length is a body, too.
  init?(taking rest: inout ArraySlice<UInt8>) {
    guard !rest.isEmpty else { return nil }
    let words = Self.line(&rest).split(separator: UInt8(ascii: " "), maxSplits: 2)
    guard words.count > 1 else { return nil }
    method = String(decoding: words[0], as: UTF8.self)
    target = String(decoding: words[1], as: UTF8.self)
    while !rest.isEmpty {
      let line = Self.line(&rest)
      if line.isEmpty { break }
      let sides = line.split(
        separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
      let value = sides.count > 1 ? sides[1].drop { $0 == UInt8(ascii: " ") } : []
      fields.append(
        (String(decoding: sides[0], as: UTF8.self), String(decoding: value, as: UTF8.self)))
    }
    if method == "POST" || method == "DELETE" { body = Array(Self.line(&rest)) }
  }

  private static func line(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let line = rest.prefix { $0 != 10 }
    rest = rest[line.endIndex...].dropFirst()
    return line.last == 13 ? line.dropLast() : line
  }

  func request(from peer: HTTPRequest.Peer) -> HTTPRequest {
    HTTPRequest(method, target, fields: fields, from: peer, body: body)
  }

  /// Whether it has the word that lets it in.
  var isTrusted: Bool { fields.contains { $0.value.contains(Served.token) } }
}

/// A server without a network, which lives as long as the fuzzer.
private final class Served: @unchecked Sendable {
  static let token = "a-token-for-tests"
  static let phone = Served(
    "sim:phone&clock=manual", controls: true, graph: "bindings/graphs/tap.json")
  static let replay = Served(
    "replay:Tests/Fuzz/Corpus/Recordings/phone", controls: false, graph: nil)

  private let interface: Interface
  private let folder: String?
  private var now: Int64 = 0

  init(_ uri: String, controls: Bool, graph: String?) {
    do {
      let context = try Context.open(
        uri, mode: .thread, catalogue: SourceCatalogue.all, recordings: Replay.init)
      var settings = ServedContext.Settings()
      folder = controls ? Recordings.make() : nil
      (settings.recordings, settings.allowsControl) = (folder, controls)
      let graphs = try graph.map { path in
        let document = Recordings.read(path)
        return ServedGraph(named: "tap", try Graph.load(document, in: context), document)
      }
      let served = try ServedContext(
        context, allow: .none, settings, graphs: graphs.map { [$0] } ?? [])
      var rules = AccessRules()
      (rules.addresses, rules.port) = (["127.0.0.1", "::1"], 8917)
      (rules.hostNames, rules.origins) = (["ours"], ["https://ours.example"])
      (rules.open, rules.allowsControl) = (["metrics"], controls)
      rules.token = try AccessToken(file: Array(Self.token.utf8))
      interface = Interface(served, rules, page: Array("<script>1</script>".utf8))
    } catch {
      fatalError("\(uri): \(error)")
    }
  }

  /// Asks as a client in the network; what such a one may not, a process here may.
  func ask(_ line: RequestBytes) {
    let peers: [HTTPRequest.Peer] = [.address("127.0.0.1"), .process(isAdmitted: true)]
    for peer in peers {
      let request = line.request(from: peer)
      // Slow enough for no limit but that of wrong tokens.
      now += 10_000_000_000
      do throws(Refusal) {
        let admission = try interface.admit(request, at: now)
        if peer == peers[0] { checkTrust(line, admission) }
        AnswerCheck(interface.answer(request, admission)).run()
        return
      } catch {
        require(error.status.rawValue >= 400, "a refusal is none of success")
        AnswerCheck(interface.answer(request, refusing: error)).run()
      }
    }
  }

  private func checkTrust(_ line: RequestBytes, _ admission: Admission) {
    let path = admission.target.path
    let isOpen = path.isEmpty || path == ["health"] || path[0] == "metrics"
    require(
      isOpen || line.isTrusted || line.method == "OPTIONS", "without the token nothing is told")
  }

  /// Ends what was begun, and puts the recordings back.
  func tidy() {
    interface.served.recordings?.closeAll()
    if let folder { Recordings.fill(folder) }
    require(interface.served.streams.count == 0, "streams that have ended leave their place")
  }
}

/// A folder of recordings, of which requests may make and remove some.
private enum Recordings {
  private static let seeds = ["walk", "phone", "damaged", "torn", "vectors"]
  private static let whole: [(name: String, bytes: [UInt8])] = seeds.map {
    ("\($0).gkr", read("Tests/Fuzz/Corpus/Recordings/\($0)"))
  }

  static func make() -> String {
    var name = Array(".build-fuzz/recordings-XXXXXX".utf8CString)
    require(mkdtemp(&name) != nil, "there is a folder of the build")
    let folder = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    fill(folder)
    return folder
  }

  /// Leaves the seeds there, and nothing else.
  static func fill(_ folder: String) {
    let storage = LiveStorage()
    let present = (try? storage.names(in: folder)) ?? []
    for name in present where !whole.contains(where: { $0.name == name }) {
      try? storage.remove("\(folder)/\(name)")
    }
    for (name, bytes) in whole where !present.contains(name) {
      let file = try? storage.open("\(folder)/\(name)", for: .creating)
      let written = bytes.withUnsafeBytes { try? file?.write($0, at: 0) }
      require(written == bytes.count, "a seed can be put back")
    }
  }

  static func read(_ path: String) -> [UInt8] {
    guard let file = try? LiveStorage().open(path, for: .reading), let size = try? file.size(),
      let bytes = try? file.bytes(at: 0, count: size)
    else { fatalError("\(path) cannot be read") }
    return bytes
  }
}

/// The laws of an answer.
private struct AnswerCheck {
  private let answer: HTTPAnswer

  init(_ answer: HTTPAnswer) { self.answer = answer }

  func run() {
    let known = Refusal.Status(rawValue: answer.status) != nil
    require(known || [200, 201, 204, 206].contains(answer.status), "a status is one of ours")
    require(answer.status != 500, "no request is an error of the server")
    for field in answer.fields {
      let bytes = Array(field.name.utf8) + Array(field.value.utf8)
      require(bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "a field stays on its line")
    }
    switch answer.body {
    case .bytes(let bytes): check(bytes)
    case .parts(let length, let next): pull(length, next)
    case .events(let stream): follow(stream)
    }
  }

  private var isJSON: Bool {
    answer.fields.contains { $0.name == "Content-Type" && $0.value.hasPrefix("application/json") }
  }

  private func check(_ bytes: [UInt8]) {
    guard isJSON else { return require(answer.status < 400, "a refusal is JSON") }
    // A request of HEAD gets it as well; what carries it leaves it out.
    guard let value = try? Value(json: bytes) else {
      return require(false, "an answer of JSON can be read")
    }
    guard answer.status >= 400 else { return }
    guard case .dictionary(let members) = value, case .dictionary(let facts)? = members["error"]
    else { return require(false, "a refusal has its error") }
    require(facts["code"]?.text?.hasPrefix("GKIT_ERROR_") == true, "an error has a code")
    require(facts["message"]?.text?.isEmpty == false, "an error has a message")
  }

  private func pull(_ length: Int?, _ next: () throws -> [UInt8]?) {
    var count = 0
    while let part = try? next() {
      require(!part.isEmpty, "each part brings something")
      count += part.count
    }
    require(length.map { $0 == count } ?? true, "an answer is as long as it says")
  }

  /// Reads a stream for a moment, as a client that then goes away.
  private func follow(_ stream: any LiveAnswer) {
    stream.begin {}
    require(stream.pulseInterval.map { $0 > 0 } ?? true, "a pulse comes later")
    stream.pulse()
    stream.putReplay()
    var text: [UInt8] = []
    for round in 0..<3 {
      if round == 1 { stream.comment() }
      if round == 2 { stream.end(because: "the fuzzer goes on") }
      while case let more = stream.take(upTo: 4096), !more.isEmpty { text += more }
    }
    stream.finish()
    require(stream.isEnded, "a stream that was ended has ended")
    checkEvents(text)
  }

  private func checkEvents(_ text: [UInt8]) {
    let lines = text.split(separator: 10)
    for line in lines where line.starts(with: Array("data: ".utf8)) {
      require((try? Value(json: Array(line.dropFirst(6)))) != nil, "the data of an event is JSON")
    }
    require(lines.contains(Array("event: end".utf8)[...]), "a stream says why it ends")
  }
}
