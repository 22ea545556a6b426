import Gathering
import Ground
import Machine
import Values

/// Reads the files of one control group; none of them stays open.
final class UnitReader: InstanceReader {
  private typealias Field = SystemUnit.Field

  private let files: any FileTree
  private let path: String
  private let notes: [String: String]
  /// What was read of each file, for those who ask for raw values.
  private var texts: [UnitFile: [UInt8]] = [:]
  /// The limit that was the least one, and the group that has it.
  private var limit: RawValue?

  init(_ instance: Instance, in files: any FileTree) {
    self.files = files
    (path, notes) = (instance.path, instance.notes)
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    if request.scope == .everything { readNames(&reading) }
    if isGone {
      let outcome = KeptOutcome(.noData("the group is gone"))
      for field in Field.allCases where field.rawValue < Field.type.rawValue {
        reading.set(field, to: outcome)
      }
      return
    }
    for file in UnitFile.allCases where !file.columns.isEmpty { read(file, into: &reading) }
    readWorkingSet(&reading)
    readLimit(&reading)
    reading.needTwoReadings(Field.usage)
  }

  private var isGone: Bool {
    guard case .failure(let error) = text(of: .events), error.code == SystemText.noEntry else {
      return false
    }
    return !files.mayHave(UnitFile.cpu.rawValue, in: path)
  }

  private func readNames(_ reading: inout Reading) {
    let unit = notes["unit"] ?? ""
    reading[Field.type] = .ok(.string(notes["type"] ?? ""))
    reading[Field.parent] =
      notes["parent"].map { .ok(.string($0)) } ?? .noData("it is in no other unit")
    reading[Field.unit] =
      unit.isEmpty ? .noData("a container does not see its own name") : .ok(.string(unit))
  }

  private func read(_ file: UnitFile, into reading: inout Reading) {
    switch text(of: file) {
    case .success(let text):
      for (field, rule) in file.columns {
        // A group that has not used a disk yet has no line.
        let isNone = file == .io && text.trimmed.isEmpty
        reading[field] = isNone ? .ok(.int(0)) : rule(text)
      }
    case .failure(let error):
      let outcome = outcome(of: error, file)
      for (field, _) in file.columns { reading.set(field, to: outcome) }
    }
  }

  private func text(of file: UnitFile) -> Result<ArraySlice<UInt8>, SystemError> {
    do throws(SystemError) {
      let text = try PolledFile(
        "\(path)/\(file.rawValue)", in: files, limit: file.longest
      ).read()
      texts[file] = Array(text)
      return .success(text)
    } catch {
      texts[file] = nil
      return .failure(error)
    }
  }

  private func outcome(of error: SystemError, _ file: UnitFile) -> Outcome {
    switch error.code {
    case SystemText.noEntry, SystemText.notSupported: file.absence
    default: .from(error)
    }
  }

  /// What is used but for the cache that can be given back at once.
  private func readWorkingSet(_ reading: inout Reading) {
    guard let used = reading.integer(Field.memory) else {
      return reading[Field.memoryWorkingSet] = reading[Field.memory].asMissingInput
    }
    let cache: Outcome
    switch text(of: .statistics) {
    case .success(let text): cache = TextRule.line("inactive_file", .count)(text)
    case .failure(let error): cache = outcome(of: error, .statistics)
    }
    if let cache = cache.integer {
      reading.set(Field.memoryWorkingSet, to: max(0, used - cache))
    } else {
      reading[Field.memoryWorkingSet] = cache.asMissingInput
    }
  }

  /// The least limit on the way to the root.
  private func readLimit(_ reading: inout Reading) {
    limit = nil
    var least: (number: Int64, raw: RawValue)?
    var unlimited: RawValue?
    var folder = path[...]
    while folder.utf8.count >= UnitTree.root.utf8.count {
      let file = PolledFile("\(folder)/\(UnitFile.limit.rawValue)", in: files)
      folder = folder[..<(folder.utf8.lastIndex(of: UInt8(ascii: "/")) ?? folder.startIndex)]
      let outcome: Outcome
      do throws(SystemError) {
        outcome = TextRule.groupLimit(try file.read())
      } catch {
        if error.code == SystemText.noEntry { continue }
        return reading[Field.memoryLimit] = .from(error)
      }
      guard let raw = file.lastRaw else { continue }
      if let number = outcome.integer {
        if number < least?.number ?? .max { least = (number, raw) }
      } else if outcome.status == .noData {
        unlimited = unlimited ?? raw
      } else {
        limit = raw
        return reading[Field.memoryLimit] = outcome
      }
    }
    limit = least?.raw ?? unlimited
    if let least {
      reading.set(Field.memoryLimit, to: least.number)
    } else if unlimited != nil {
      reading[Field.memoryLimit] = .noData("no limit is set")
    } else {
      reading[Field.memoryLimit] = UnitFile.limit.absence
    }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    if index == Field.memoryLimit.rawValue { return limit }
    if index == Field.memoryWorkingSet.rawValue { return raw(of: .statistics) }
    let file = UnitFile.allCases.first { $0.columns.contains { $0.field.rawValue == index } }
    return file.flatMap { raw(of: $0) }
  }

  private func raw(of file: UnitFile) -> RawValue? {
    texts[file].map { RawValue($0, place: "\(path)/\(file.rawValue)") }
  }
}
