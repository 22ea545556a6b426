public import CGatheredKit
import Gathering
import Recording
import Values

/// Writes recorded rows as text, into a file that is there whole or not at all.
@_cdecl("gkit_context_export_text") @implementation public func gkit_context_export_text(
  _ replay: OpaquePointer?, _ format: UnsafePointer<CChar>?, _ target: UnsafePointer<CChar>?,
  _ options: OpaquePointer?, _ fn: gkit_progress_fn?, _ user_data: UnsafeMutableRawPointer?,
  _ destroy: gkit_destroy_fn?
) -> gkit_status {
  let userData = UserData(user_data, destroy)
  return entry {
    let context = try openContext(replay)
    let format = try text(format, "format")
    let target = try text(target, "target")
    guard SinkFormat.isText[format] == true else {
      throw Failure(Status.notFound, "there is no text format \(format); there are csv and jsonl")
    }
    var members = try Options(options, of: "an export of format \(format)")
    let isReplacing = try replaces(&members)
    let sources = try names(&members)
    let layout = format == "csv" ? try TextFormat.Layout(ifGiven: &members) : nil
    try members.finish()
    let recording = try recording(of: context)
    let tables =
      try sources.map { names throws(SourceError) in
        try names.map { name throws(SourceError) in try RecordedTable(name, of: recording) }
      } ?? RecordedTable.all(of: recording)
    let csv = TextFormat.csv(layout ?? (tables.count == 1 ? .wide : .long))
    let isWhole = try written(target) { () throws(SourceError) in
      try TextExport.write(
        tables, as: format == "csv" ? csv : .jsonLines, to: target, replacing: isReplacing
      ) { progress in
        fn?(Int64(progress.rows), Int64(progress.allRows), userData.pointer) ?? true
      }
    }
    if !isWhole { throw Failure(Status.cancelled, "the export to \(target) was given up") }
  }
}

/// What a replay plays.
func recording(of context: ContextObject) throws -> RecordingParts {
  guard let recording = context.recording else {
    throw Failure(Status.notSupported, "\(context.context.uri) is no replay: nothing is recorded")
  }
  return recording
}

/// Whether a file that is there gives way.
private func replaces(_ options: inout Options) throws -> Bool {
  switch try options.text("existing") ?? "refuse" {
  case "refuse": return false
  case "overwrite": return true
  default: throw options.wrong("existing", "refuse or overwrite")
  }
}

/// The sources and streams asked for; nil for all.
private func names(_ options: inout Options) throws -> [String]? {
  guard let value = options.value("sources") else { return nil }
  guard case .list(let items) = value else { throw options.wrong("sources", "a LIST") }
  return try items.map { item in
    guard let name = item.text else { throw options.wrong("sources", "a LIST of STRING") }
    return name
  }
}

/// Whether all was written; a file that is there, or being written, has a status of its own.
private func written(_ target: String, _ write: () throws(SourceError) -> Bool) throws -> Bool {
  do throws(SourceError) {
    return try write()
  } catch {
    switch error {
    case .io(SystemText.fileExists, _):
      throw Failure(Status.exists, "\(target) is there already; overwrite it, or name another")
    case .io(SystemText.busy, _):
      throw Failure(Status.busy, "\(target) is being written by another export")
    default: throw error
    }
  }
}
