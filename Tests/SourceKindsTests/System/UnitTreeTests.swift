import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct UnitTreeTests {
  /// A tree of groups of any size, which is nowhere but in memory.
  private struct GroupFiles: FileTree {
    let groups: [String: [String]]
    let own: String

    func open(_ path: String) throws(SystemError) -> any OpenFile {
      guard path == "/proc/self/cgroup" else { throw SystemError(2, at: path) }
      return OwnGroup(path: path, text: Array("0::\(own)\n".utf8))
    }

    func entries(of path: String) throws(SystemError) -> [String] {
      guard let names = groups[path] else { throw SystemError(2, at: path) }
      return names + (path == UnitTree.root ? ["cgroup.controllers"] : ["cgroup.events"])
    }

    func folders(in path: String) throws(SystemError) -> [String] {
      guard let names = groups[path] else { throw SystemError(2, at: path) }
      return names
    }

    func canonicalPath(of path: String) throws(SystemError) -> String { path }

    func linkTarget(of path: String) throws(SystemError) -> String {
      throw SystemError(22, at: path)
    }

    func statistics(of mountPoint: String) throws(SystemError) -> FileSystemStatistics {
      throw SystemError(95, at: mountPoint)
    }
  }

  private struct OwnGroup: OpenFile {
    let path: String
    let text: [UInt8]

    func read(
      at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
      let rest = text.dropFirst(offset).prefix(buffer.count)
      buffer.copyBytes(from: rest)
      return rest.count
    }
  }

  private func tree(_ paths: [String], own: String = "/") -> GroupFiles {
    var groups: [String: [String]] = [UnitTree.root: []]
    for path in paths {
      var above = UnitTree.root
      for name in path.split(separator: "/").map(String.init) {
        let folder = "\(above)/\(name)"
        if groups[folder] == nil {
          groups[folder] = []
          groups[above]?.append(name)
        }
        above = folder
      }
    }
    return GroupFiles(groups: groups, own: own)
  }

  @Test func `of 20 000 units 1000 are listed, the deepest left out, our own never`() throws {
    let upper = (0..<40).map { "a\($0).slice" }
    let middle = upper.flatMap { slice in (0..<20).map { "\(slice)/b\($0).service" } }
    let lower = middle.flatMap { unit in (0..<24).map { "\(unit)/c\($0).scope" } }
    let own = lower[lower.count - 1]
    let files = tree(lower, own: "/\(own)")
    let found = UnitTree.discover(on: files).instances
    #expect(lower.count + middle.count + upper.count == 20_040)
    #expect(found.count == 1001)
    #expect(found[0].path == "\(UnitTree.root)/\(own)")
    let paths = Set(found.map { String($0.path.dropFirst(UnitTree.root.utf8.count + 1)) })
    #expect(paths.isSuperset(of: upper) && paths.isSuperset(of: middle))
    #expect(
      found.allSatisfy {
        $0.availability.detail == "the deepest groups are left out: 1000 are listed"
      })
    #expect(found[1].path == "\(UnitTree.root)/a0.slice")
    #expect(found[2].path == "\(UnitTree.root)/a0.slice/b0.service")
  }

  @Test func `folders that are no units are looked into, as many as there is room for`() {
    let files = tree((0..<9000).map { "x\($0)/y.service" } + ["z/a.service"])
    let found = UnitTree.discover(on: files).instances
    #expect(found.count == 1000 && Set(found.map(\.name)).count == 1000)
    #expect(found.last?.name == "y.service~1000")
    let deep = tree([String(repeating: "d/", count: 200) + "e.service", "f.service"])
    #expect(UnitTree.discover(on: deep).instances.map(\.name) == ["f.service"])
    let detail = UnitTree.discover(on: deep).instances.first?.availability.detail
    #expect(detail?.hasPrefix("the deepest groups") == true)
  }

  @Test func `the group we are in is the innermost unit`() {
    let files = tree(["a.slice/b.service/payload", "c.slice"], own: "/a.slice/b.service/payload")
    #expect(
      UnitTree.discover(on: files).instances.map(\.name) == ["b.service", "a.slice", "c.slice"])
    let outside = tree(["a.slice"], own: "/../elsewhere")
    #expect(UnitTree.discover(on: outside).instances.map(\.name) == ["a.slice"])
  }

  @Test(arguments: [
    ("dev-disk-by\\x2duuid-a\\x2db.swap", "dev-disk-by-uuid-a-b.swap", "swap"),
    ("_cpu.service", "cpu.service", "service"), ("a\\x2.mount", "a\\x2.mount", "mount"),
    ("\\xff\\xFE.socket", "\u{FFFD}\u{FFFD}.socket", "socket"),
    (
      String(repeating: "\\x41", count: 62) + ".slice",
      String(repeating: "A", count: 62) + ".slice", "slice"
    ),
  ])
  func `a name is written as its manager writes it`(folder: String, unit: String, type: String) {
    let name = UnitName(of: folder, in: UnitName.Place())
    #expect(name?.unit == unit && name?.type == type)
  }

  @Test(arguments: [
    "a.timer", ".service", "service", "container", "x.container", "docker", "lxc.payload.",
    "lxc.monitor.web", "0123456789abcdef", "docker-01234567", "cpu.stat",
  ])
  func `what is no unit has no name`(folder: String) {
    #expect(UnitName(of: folder, in: UnitName.Place()) == nil)
  }
}
