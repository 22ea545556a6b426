public import Gathering
import Ground
public import Machine

/// The result of repairing a recording.
public struct RecordingRepair: Equatable, Sendable {
  /// How many blocks were kept, of any sort.
  public var blocks = 0
  /// The losses, by the bytes of the original file.
  public var lost: [RecordingProblem] = []

  /// Removes an unfinished end, so that the recording ends with a whole block. If anything else is
  /// damaged, the whole blocks are written to a new file, which replaces the recording.
  ///
  /// Whole blocks are not changed. Each loss becomes an event `lost`; a damaged description of a
  /// series is restored from another block. Throws `io`, with EBUSY while the recording is being
  /// written, and the errors of opening; the recording is then unchanged.
  public static func repair(
    _ path: String, in storage: any FileStorage = LiveStorage()
  ) throws(SourceError) -> RecordingRepair {
    let file = try storage.openRecording(path, for: .changing)
    let survey = try RecordingSurvey(of: file)
    if survey.isWhole {
      do throws(SystemError) {
        if try file.size() > survey.end {
          try file.truncate(to: survey.end)
          try file.sync()
        }
      } catch {
        throw SourceError(error)
      }
      return survey.repair
    }
    let copy: any StoredFile
    do throws(SystemError) {
      copy = try storage.replacement(of: path)
    } catch {
      throw SourceError(error)
    }
    do throws(SourceError) {
      try survey.write(to: copy, from: file)
      do throws(SystemError) {
        try storage.move(copy.path, to: path)
      } catch {
        throw SourceError(error)
      }
    } catch {
      try? storage.remove(copy.path)
      throw error
    }
    return survey.repair
  }

  /// Writes the whole blocks to a new file, as repairing in place does, and does not change the
  /// recording.
  public static func repair(
    _ path: String, to target: String, in storage: any FileStorage = LiveStorage()
  ) throws(SourceError) -> RecordingRepair {
    let file = try storage.openRecording(path, for: .reading)
    let survey = try RecordingSurvey(of: file)
    try survey.write(to: try storage.openRecording(target, for: .creating), from: file)
    return survey.repair
  }
}

extension FileStorage {
  func openRecording(
    _ path: String, for use: StorageUse
  ) throws(SourceError) -> any StoredFile {
    do {
      return try open(path, for: use)
    } catch {
      throw SourceError(error)
    }
  }
}
