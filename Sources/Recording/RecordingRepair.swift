public import Gathering
import Ground
public import Machine

/// What mending a recording came to.
public struct RecordingRepair: Equatable, Sendable {
  /// How many blocks were kept, of any sort.
  public var blocks = 0
  /// What was lost, by the bytes of the file as it was.
  public var lost: [RecordingProblem] = []

  /// Cuts off a torn end, so that the recording ends with a whole block; if anything else is
  /// damaged, what is whole is written anew, and the file takes the place of the recording.
  ///
  /// Whole blocks stay as they are. What is missing becomes an event `lost`; a damaged description
  /// of a series is written again, as another block has it. Throws `io`, with EBUSY while it is
  /// being written, and as opening does; the recording is as it was then.
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

  /// Writes what is whole to a new file, as repairing in place does, and leaves the recording
  /// alone.
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
