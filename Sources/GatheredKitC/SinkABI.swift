public import CGatheredKit
import Gathering
import Ground
import Recording
import Values

/// Opens a sink.
@_cdecl("gkit_sink_open") @implementation public func gkit_sink_open(
  _ context: OpaquePointer?, _ format: UnsafePointer<CChar>?, _ target: UnsafePointer<CChar>?,
  _ options: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    let owner = try openContext(context)
    let format = try text(format, "format")
    let target = try text(target, "target")
    if format == "mqtt" {
      return try out.give(SinkObject.publishing(to: target, options, of: owner))
    }
    guard let isText = SinkFormat.isText[format] else {
      throw Failure(
        Status.notFound, "there is no format \(format); there are recording, csv, jsonl and mqtt")
    }
    var members = try Options(options, of: "a sink of format \(format)")
    let settings = try RecorderOptions(&members, isText: isText)
    let layout = format == "csv" ? try TextFormat.Layout(ifGiven: &members) ?? .wide : nil
    let name = try members.text("name")
    try members.finish()
    // Before a file is made, or one that is there is overwritten.
    try SinkName.check(name, in: owner.context)
    let recorder = try recorder(target) { () throws(SourceError) in
      guard isText else { return try Recorder(to: target, options: settings) }
      return try Recorder(to: target, as: layout.map { .csv($0) } ?? .jsonLines, options: settings)
    }
    let claimed = try SinkName.claim(name, in: owner.context) { recorder }
    try out.give(SinkObject(recorder, format: format, named: claimed, of: owner))
  }
}

/// A new recorder; a file that is there, or taken, has a status of its own.
private func recorder(
  _ target: String, _ make: () throws(SourceError) -> Recorder
) throws -> Recorder {
  do throws(SourceError) {
    return try make()
  } catch {
    switch error {
    case .io(SystemText.fileExists, _):
      throw Failure(Status.exists, "\(target) is there already; append to it, or overwrite it")
    case .io(SystemText.busy, _):
      throw Failure(Status.busy, "\(target) is being written by another recorder")
    default: throw error
    }
  }
}

/// Records a source.
@_cdecl("gkit_sink_add_source") @implementation public func gkit_sink_add_source(
  _ sink: OpaquePointer?, _ source: OpaquePointer?
) -> gkit_status {
  entry {
    let sink = try openSink(sink)
    let source = try openSource(source)
    try check(source.owner, sink)
    try sink.recorder.add(source.source)
  }
}

/// Records all sources, and those that come later.
@_cdecl("gkit_sink_add_all") @implementation public func gkit_sink_add_all(
  _ sink: OpaquePointer?, _ interval_ns: Int64
) -> gkit_status {
  entry {
    let sink = try openSink(sink)
    guard interval_ns >= 0 else {
      throw Failure(Status.invalidArgument, "interval_ns is negative; 0 means the default")
    }
    let interval = interval_ns == 0 ? nil : interval_ns
    try sink.recorder.addAll(of: sink.owner.context, every: interval)
  }
}

/// Records a stream.
@_cdecl("gkit_sink_add_stream") @implementation public func gkit_sink_add_stream(
  _ sink: OpaquePointer?, _ stream: OpaquePointer?, _ name: UnsafePointer<CChar>?
) -> gkit_status {
  entry {
    let sink = try openSink(sink)
    let stream = try openStream(stream)
    try check(stream.owner, sink)
    let name = try text(name, "name")
    if name.isEmpty { throw Failure(Status.invalidArgument, "a stream is recorded under a name") }
    try sink.recorder.add(stream.stream, named: name)
  }
}

/// Tells how a sink stands.
@_cdecl("gkit_sink_get_info") @implementation public func gkit_sink_get_info(
  _ sink: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    let sink = try object(sink, as: SinkObject.self, "sink")
    try out.give(DictObject(.dictionary(sink.information)))
  }
}

/// Waits until everything is on the device.
@_cdecl("gkit_sink_flush") @implementation public func gkit_sink_flush(
  _ sink: OpaquePointer?, _ timeout_ns: Int64
) -> gkit_status {
  entry {
    try object(sink, as: SinkObject.self, "sink").recorder.flush(within: timeout_ns)
  }
}

/// Ends a sink.
@_cdecl("gkit_sink_close") @implementation public func gkit_sink_close(
  _ sink: OpaquePointer?
) -> gkit_status {
  entry { try object(sink, as: SinkObject.self, "sink").close() }
}

/// A sink whose context is open.
private func openSink(_ handle: OpaquePointer?) throws -> SinkObject {
  let sink = try object(handle, as: SinkObject.self, "sink")
  if sink.owner.context.isClosed { throw Failure(SourceError.closed) }
  return sink
}

private func check(_ owner: ContextObject, _ sink: SinkObject) throws {
  guard owner === sink.owner else {
    throw Failure(Status.invalidArgument, "the sink belongs to another context")
  }
}
