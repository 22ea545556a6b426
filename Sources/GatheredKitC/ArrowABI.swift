public import CGatheredKit
import Gathering
import Glibc
import Ground
import Recording

/// Gives all recorded rows of a source or stream away.
@_cdecl("gkit_context_export_arrow") @implementation public func gkit_context_export_arrow(
  _ replay: OpaquePointer?, _ source_id: UnsafePointer<CChar>?,
  _ out: UnsafeMutablePointer<ArrowArrayStream>?
) -> gkit_status {
  entry {
    let out = try place(out)
    let context = try openContext(replay)
    let name = try text(source_id, "source_id")
    let table = try RecordedTable(name, of: recording(of: context))
    out.initialize(to: ArrowStream(table).exported)
  }
}

/// Gives the rows of a frame away, as a copy.
@_cdecl("gkit_frame_export_arrow") @implementation public func gkit_frame_export_arrow(
  _ frame: OpaquePointer?, _ out_schema: UnsafeMutablePointer<ArrowSchema>?,
  _ out_array: UnsafeMutablePointer<ArrowArray>?
) -> gkit_status {
  entry {
    let frame = try object(frame, as: FrameObject.self, "frame")
    let schema = try place(out_schema, "out_schema")
    let array = try place(out_array, "out_array")
    let table = try frame.table()
    guard var description = ArrowField(table).exported() else { throw Failure.noMemory }
    guard let rows = ArrowColumn(table.batch).exported() else {
      description.release?(&description)
      throw Failure.noMemory
    }
    schema.initialize(to: description)
    array.initialize(to: rows)
  }
}

/// A table that a consumer reads batch by batch, on one thread at a time.
private final class ArrowStream {
  private let table: RecordedTable
  private var cursor: TableCursor
  private let fork = ForkGuard()
  /// What last failed, in words, and where C reads it.
  private var words = Arena()
  private var message: UnsafePointer<CChar>?

  init(_ table: RecordedTable) {
    self.table = table
    cursor = table.cursor
  }

  /// The struct that owns it.
  var exported: ArrowArrayStream {
    ArrowArrayStream(
      get_schema: { stream, out in
        ArrowStream.answer(stream, out) { (own) throws(SourceError) in try own.schema() }
      },
      get_next: { stream, out in
        ArrowStream.answer(stream, out) { (own) throws(SourceError) in try own.next() }
      },
      get_last_error: { ArrowStream.of($0).flatMap { UnsafePointer($0.message) } },
      release: { stream in
        guard let stream, let own = stream.pointee.private_data else { return }
        stream.pointee.release = nil
        stream.pointee.private_data = nil
        // Balances the retain below; the struct has forgotten it.
        Unmanaged<ArrowStream>.fromOpaque(own).release()
      },
      private_data: Unmanaged.passRetained(self).toOpaque())
  }

  private static func of(_ stream: UnsafeMutablePointer<ArrowArrayStream>?) -> ArrowStream? {
    // Whole until `release`, which leaves nil behind.
    stream?.pointee.private_data.map {
      Unmanaged<ArrowStream>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Writes what is asked for, or answers an errno and keeps the words for it.
  private static func answer<Made>(
    _ stream: UnsafeMutablePointer<ArrowArrayStream>?, _ out: UnsafeMutablePointer<Made>?,
    _ ask: (ArrowStream) throws(SourceError) -> Made
  ) -> Int32 {
    guard let stream = of(stream), let out else { return EINVAL }
    do throws(SourceError) {
      if stream.fork.isForked { throw .forked }
      out.initialize(to: try ask(stream))
      return 0
    } catch {
      stream.words = Arena()
      stream.message = stream.words.text(error.message)
      if case .forked = error { return EBADF }
      return error.errno > 0 ? error.errno : EIO
    }
  }

  private func schema() throws(SourceError) -> ArrowSchema {
    try whole(ArrowField(table).exported())
  }

  /// The next batch; a released array behind the last.
  private func next() throws(SourceError) -> ArrowArray {
    guard let batch = try cursor.next() else { return ArrowArray() }
    return try whole(ArrowColumn(batch).exported())
  }

  private func whole<Made>(_ made: Made?) throws(SourceError) -> Made {
    guard let made else { throw .io(errno: ENOMEM, place: table.name) }
    return made
  }
}
