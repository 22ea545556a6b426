import Gathering
import Machine
import Testing

/// What a hostile machine does to one file (sources M4).
enum Hostility: CaseIterable {
  case missing, empty, directory, unreadable, huge, negative, notUTF8, carriageReturn
  case noFinalNewline, padded

  func alteration(of original: [UInt8]) -> AlteredFiles.Alteration {
    let line = original.last == 10 ? Array(original.dropLast()) : original
    return switch self {
    case .missing: .missing
    case .empty: .saying([])
    case .directory: .failing(21)
    case .unreadable: .failing(13)
    case .huge: .saying([UInt8](repeating: UInt8(ascii: "9"), count: 5000) + [10])
    case .negative: .saying(Array("-".utf8) + original)
    case .notUTF8: .saying([0xFF, 0xFE, 0xC0] + original)
    case .carriageReturn: .saying(line.flatMap { $0 == 10 ? [13, 10] : [$0] } + [13, 10])
    case .noFinalNewline: .saying(line)
    case .padded: .saying(original + [UInt8](repeating: 0, count: max(0, 4096 - original.count)))
    }
  }

  /// The status a value of its own file takes; nil where it depends on the property.
  var status: ValueStatus? {
    switch self {
    case .missing: .unsupported
    case .empty: .noData
    case .directory, .huge: .failed
    case .unreadable: .permission
    case .negative, .notUTF8: nil
    case .carriageReturn, .noFinalNewline, .padded: .ok
    }
  }

  /// Whether a reader may not notice at all.
  var isHarmless: Bool { [.carriageReturn, .noFinalNewline, .padded].contains(self) }
}

/// One file of an instance and what may change with it.
struct HostileFile {
  /// Properties that are this file, which take the status of its hostility.
  var own: [String] = []
  /// Properties that may change in any way: derived, or read from another file instead.
  var derived: [String] = []
  /// Whether the instance may go with it.
  var decidesInstance = false
}

/// Makes every file that a reading of an instance reads hostile in every way, one at a time, and
/// expects that nothing changes but what `files` says of it (sources V5, M4).
///
/// A path is looked up whole, then by its last component. A file read but not listed is a failure
/// of the test, unless it is in `ignoring`.
func expectOnlyOwnValuesChange(
  _ kind: any SourceKind, on machine: Machine, instance: String, files: [String: HostileFile],
  ignoring: Set<String> = [], sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let altered = AlteredFiles(over: machine.files)
  let harness = KindHarness(kind, machine: machine.with(files: altered))
  let usual = try harness.read(instance)
  #expect(!usual.isEmpty, "no instance \(instance)", sourceLocation: sourceLocation)
  for path in altered.filesRead {
    let last = String(path.split(separator: "/").last ?? "")
    if ignoring.contains(path) || ignoring.contains(last) { continue }
    guard let file = files[path] ?? files[last] else {
      Issue.record("\(path) is read and not listed", sourceLocation: sourceLocation)
      continue
    }
    let original = Array(try PolledFile(path, in: machine.files, limit: 1 << 20).read())
    for hostility in Hostility.allCases {
      altered.alter(path, hostility.alteration(of: original))
      let found = try harness.read(instance)
      let case_ = "\(path) \(hostility)"
      if found.isEmpty {
        let mayGo = file.decidesInstance && !hostility.isHarmless
        #expect(mayGo, "\(case_): the instance went", sourceLocation: sourceLocation)
      } else {
        compare(found, with: usual, file, hostility, case_, sourceLocation)
      }
    }
    altered.alter(path, nil)
  }
}

private func compare(
  _ found: [String: Outcome], with usual: [String: Outcome], _ file: HostileFile,
  _ hostility: Hostility, _ name: String, _ sourceLocation: SourceLocation
) {
  for (key, outcome) in usual {
    if hostility.isHarmless || !(file.own.contains(key) || file.derived.contains(key)) {
      #expect(found[key] == outcome, "\(name): \(key)", sourceLocation: sourceLocation)
    } else if file.own.contains(key), let status = hostility.status {
      #expect(found[key]?.status == status, "\(name): \(key)", sourceLocation: sourceLocation)
    }
  }
}

/// What telling IIO devices apart reads of all of them but one.
func namesOfDevices(besides number: Int?) -> Set<String> {
  let others = (0..<20).filter { $0 != number }
  return Set(
    others.flatMap { other in
      ["name", "label"].map { "/sys/bus/iio/devices/iio:device\(other)/\($0)" }
    })
}

/// What telling monitoring chips apart reads of all of them but one.
func namesOfChips(besides number: Int?) -> Set<String> {
  Set((0..<20).filter { $0 != number }.map { "/sys/class/hwmon/hwmon\($0)/name" })
}
