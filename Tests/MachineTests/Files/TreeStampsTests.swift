import GatheredKitTesting
import Ground
import Testing

@testable import Machine

/// How a look at a captured tree is spared, and when it is not.
@Suite struct TreeStampsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Array("1\n".utf8), to: "/class/one/value")
    try folder.link("/link", to: "class/one")
  }

  /// What was noted of paths, as if all of it were old.
  private func stamps(of paths: String...) -> TreeStamps {
    var stamps = TreeStamps(granularity: -1)
    for path in paths { stamps.note(Array((folder.path + path).utf8CString)) }
    return stamps
  }

  @Test func `what stays as it is holds`() {
    let all = stamps(of: "/class", "/class/one", "/class/one/value", "/link", "/none", "/class/a/b")
    #expect(all.stillHold)
    #expect(all.stillHold)
  }

  @Test func `every change is seen`() throws {
    let file = stamps(of: "/class/one/value")
    let (list, missing) = (stamps(of: "/class"), stamps(of: "/class/two"))
    let link = stamps(of: "/link")
    try folder.write(Array("22\n".utf8), to: "/class/one/value")
    #expect(!file.stillHold)
    #expect(list.stillHold && missing.stillHold && link.stillHold)
    try folder.makeFolder("/class/two")
    #expect(!list.stillHold)
    #expect(!missing.stillHold)
    #expect(link.stillHold)
    try folder.remove("/link")
    try folder.link("/link", to: "class/two")
    #expect(!link.stillHold)
  }

  @Test func `what has just changed may change once more within its stamp, and is not trusted`()
    throws
  {
    let tree = try RootedFileTree(root: folder.path)
    let (names, stamps) = tree.recording { try? tree.entries(of: "/link") }
    #expect(names == ["value"])
    #expect(stamps?.stillHold == false)
  }

  @Test func `a file system that stamps no changes is not trusted`() {
    var stamps = TreeStamps(granularity: -1)
    stamps.note(Array("/proc/self/mountinfo".utf8CString))
    #expect(!stamps.stillHold)
  }

  @Test func `a look at what is old is noted, one that found nothing too`() throws {
    let tree = try RootedFileTree(root: "/usr")
    let (_, stamps) = tree.recording {
      _ = try? tree.entries(of: "/lib")
      _ = try? tree.open("/lib/there/is/no/such/file")
    }
    #expect(stamps?.stillHold == true)
  }
}
