import GatheredKitTesting
import Ground
import Machine

/// The captured machine of a name in `Tests/Fixtures/machines`.
func machine(named name: String, beside file: String = #filePath) throws -> Machine {
  let parts = file.split(separator: "/")
  let end = parts.lastIndex(of: "SourceKindsTests") ?? parts.endIndex
  let tests = parts[..<end].joined(separator: "/")
  return try Machine.captured(root: "/\(tests)/Fixtures/machines/\(name)")
}

/// A machine of texts by path, which lives as long as the machine does.
func machine(of contents: [String: String]) throws -> Machine {
  let fixture = try FixtureMachine(contents)
  return fixture.machine.with(files: HeldFiles(fixture: fixture))
}

/// The files of a fixture, which is kept with them.
private struct HeldFiles: FileTree {
  let fixture: FixtureMachine

  func open(_ path: String) throws(SystemError) -> any OpenFile {
    try fixture.machine.files.open(path)
  }

  func entries(of path: String) throws(SystemError) -> [String] {
    try fixture.machine.files.entries(of: path)
  }

  func canonicalPath(of path: String) throws(SystemError) -> String {
    try fixture.machine.files.canonicalPath(of: path)
  }

  func linkTarget(of path: String) throws(SystemError) -> String {
    try fixture.machine.files.linkTarget(of: path)
  }

  func statistics(of mountPoint: String) throws(SystemError) -> FileSystemStatistics {
    try fixture.machine.files.statistics(of: mountPoint)
  }
}

/// The names of all captured machines in `Tests/Fixtures/machines`.
func fixtureMachineNames(beside file: String = #filePath) throws -> [String] {
  let parts = file.split(separator: "/")
  let end = parts.lastIndex(of: "SourceKindsTests") ?? parts.endIndex
  let folder = "/" + parts[..<end].joined(separator: "/") + "/Fixtures/machines"
  return try RootedFileTree.live.entries(of: folder).sorted()
}
