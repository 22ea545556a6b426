import GatheredKitTesting
import Glibc
import Ground
import Machine
import Testing

@Suite struct RootedFileTreeTests {
  let folder: TemporaryFolder
  let tree: RootedFileTree

  init() throws {
    folder = try TemporaryFolder()
    tree = try RootedFileTree(root: folder.path)
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try PolledFile(path, in: tree).read(), as: UTF8.self)
  }

  private func failure(_ body: () throws -> Void) -> Int32? {
    do {
      try body()
      return nil
    } catch {
      return (error as? SystemError)?.code
    }
  }

  @Test func `C3: relative and absolute links resolve inside the tree`() throws {
    try folder.write(Array("42\n".utf8), to: "/sys/devices/x/value")
    try folder.link("/sys/class/x/x0", to: "../../devices/x")
    try folder.link("/etc/abs", to: "/sys/class/x/x0/value")
    #expect(try text("/sys/class/x/x0/value") == "42\n")
    #expect(try text("/etc/abs") == "42\n")
    #expect(try tree.canonicalPath(of: "/etc/abs") == "/sys/devices/x/value")
    #expect(try tree.linkTarget(of: "/sys/class/x/x0") == "../../devices/x")
    #expect(try tree.entries(of: "/sys/class/x/x0") == ["value"])
  }

  @Test func `a captured tree is never written, this computer's files are whole and anew`() throws {
    try folder.write(Array("10\n".utf8), to: "/sys/enable")
    #expect(failure { try tree.write([49], to: "/sys/enable") } == EROFS)
    #expect(try text("/sys/enable") == "10\n")
    let path = "\(folder.path)/sys/enable"
    try RootedFileTree.live.write(Array("1\n".utf8), to: path)
    #expect(try text("/sys/enable") == "1\n")
    let missing = "\(folder.path)/sys/missing"
    #expect(failure { try RootedFileTree.live.write([49], to: missing) } == ENOENT)
  }

  @Test func `A2: rights are asked for without opening, and a tree refuses nothing`() throws {
    let live = RootedFileTree.live
    #expect(failure { try live.checkAccess(to: "/proc/self/stat", for: .reading) } == nil)
    for path in ["/proc/self/nothing", "stat", "/proc/self/stat\0"] {
      #expect(failure { try live.checkAccess(to: path, for: .reading) } == ENOENT)
    }
    #expect(failure { try tree.checkAccess(to: "/sys/anything", for: .writing) } == nil)
  }

  @Test func `C3: a link that climbs out of the tree counts as missing`() throws {
    try folder.link("/etc/out", to: "../../etc/hostname")
    try folder.link("/etc/deep", to: "../../../../../../../../proc/version")
    try folder.makeFolder("/proc")
    for path in ["/etc/out", "/etc/deep", "/../etc/hostname", "/etc/../../proc"] {
      #expect(failure { _ = try tree.open(path) } == ENOENT)
      #expect(failure { _ = try tree.canonicalPath(of: path) } == ENOENT)
      #expect(failure { _ = try tree.entries(of: path) } == ENOENT)
    }
  }

  @Test func `C3: an absolute link starts again at the root, whatever this computer has there`()
    throws
  {
    try folder.link("/etc/escape", to: "/proc/version")
    #expect(failure { _ = try tree.open("/etc/escape") } == ENOENT)
    #expect(try tree.linkTarget(of: "/etc/escape") == "/proc/version")
  }

  @Test func `a path may have forty links and not one more`() throws {
    try folder.write([65], to: "/l0")
    for index in 1...41 { try folder.link("/l\(index)", to: "l\(index - 1)") }
    #expect(try text("/l40") == "A")
    #expect(failure { _ = try tree.open("/l41") } == ELOOP)
    try folder.link("/loop", to: "loop")
    #expect(failure { _ = try tree.canonicalPath(of: "/loop") } == ELOOP)
  }

  @Test func `what is no folder has nothing below it`() throws {
    try folder.write([65], to: "/file")
    #expect(failure { _ = try tree.open("/file/below") } == ENOTDIR)
    #expect(failure { _ = try tree.open("/file/") } == ENOTDIR)
    #expect(failure { _ = try tree.open("/file/..") } == ENOTDIR)
    #expect(failure { _ = try tree.entries(of: "/file") } == ENOTDIR)
    #expect(failure { _ = try tree.open("/nothing/../file") } == ENOENT)
    #expect(failure { _ = try tree.linkTarget(of: "/file") } == EINVAL)
  }

  @Test func `the root is a folder like any other`() throws {
    try folder.write([65], to: "/file")
    #expect(try tree.entries(of: "/") == ["file"])
    #expect(try tree.canonicalPath(of: "/") == "/")
    #expect(try tree.canonicalPath(of: "//./file") == "/file")
  }

  @Test func `a folder opens and reads as EISDIR`() throws {
    try folder.makeFolder("/dir")
    #expect(failure { _ = try text("/dir") } == EISDIR)
  }

  @Test func `a pipe is refused without waiting for a writer`() throws {
    try folder.makePipe("/pipe")
    #expect(failure { _ = try tree.open("/pipe") } == ENXIO)
    #expect(failure { _ = try RootedFileTree.live.open(folder.path + "/pipe") } == ENXIO)
  }

  @Test func `paths the kernel would read otherwise lead nowhere`() throws {
    try folder.write([65], to: "/file")
    for path in ["", "file", "/file\0x"] {
      #expect(failure { _ = try tree.open(path) } == ENOENT)
      #expect(failure { _ = try RootedFileTree.live.open(path) } == ENOENT)
      #expect(failure { _ = try RootedFileTree.live.entries(of: path) } == ENOENT)
    }
  }

  @Test func `C3: a missing proc self is process 1`() throws {
    try folder.write([65], to: "/proc/1/mountinfo")
    try folder.link("/proc/mounts", to: "self/mountinfo")
    #expect(try text("/proc/self/mountinfo") == "A")
    #expect(try text("/proc/mounts") == "A")
    #expect(try tree.canonicalPath(of: "/proc/self") == "/proc/1")
    try folder.link("/proc/self", to: "4711")
    #expect(try text("/proc/self/mountinfo") == "A")
    try folder.write([66], to: "/proc/4711/mountinfo")
    #expect(try text("/proc/self/mountinfo") == "B")
    #expect(failure { _ = try tree.open("/proc/self/none") } == ENOENT)
  }

  @Test func `a file of a tree that is replaced or removed is found out at the next reading`()
    throws
  {
    try folder.write([65], to: "/file")
    let file = PolledFile("/file", in: tree)
    #expect(try Array(file.read()) == [65])
    try folder.remove("/file")
    #expect(failure { try file.read() } == ENOENT)
    try folder.write([66], to: "/file")
    #expect(try Array(file.read()) == [66])
  }

  @Test func `C3: what takes the place of a file is found out at the next reading`() throws {
    try folder.write([65], to: "/sys/value")
    try folder.write([66], to: "/sys/other")
    let file = PolledFile("/sys/value", in: tree)
    #expect(try Array(file.read()) == [65])
    for (target, found) in [("other", 66), ("/sys/other", 66), ("../sys/./other", 66)] {
      try folder.remove("/sys/value")
      try folder.link("/sys/value", to: target)
      #expect(try Array(file.read()) == [UInt8(found)])
    }
    for target in ["../../../../../../../../etc/passwd", "/etc/passwd"] {
      try folder.remove("/sys/value")
      try folder.link("/sys/value", to: target)
      #expect(failure { try file.read() } == ENOENT)
    }
    try folder.remove("/sys/value")
    try folder.makePipe("/sys/value")
    #expect(failure { try file.read() } == ENXIO)
  }

  @Test func `a tree that takes the place of another is read instead`() throws {
    let (old, new) = (folder.path + "/old", folder.path + "/tree")
    try folder.write([65], to: "/tree/sys/value")
    let tree = try RootedFileTree(root: new)
    let file = PolledFile("/sys/value", in: tree)
    for _ in 0..<2 { #expect(try Array(file.read()) == [65]) }
    #expect(rename(new, old) == 0)
    #expect(failure { try file.read() } == ENOENT)
    try folder.write([66], to: "/tree/sys/value")
    for _ in 0..<2 { #expect(try Array(file.read()) == [66]) }
    #expect(try tree.entries(of: "/sys") == ["value"])
  }

  @Test func `C1: a root that is missing or no folder is an error`() throws {
    try folder.write([65], to: "/file")
    #expect(failure { _ = try Machine.captured(root: folder.path + "/none") } == ENOENT)
    #expect(failure { _ = try Machine.captured(root: folder.path + "/file") } == ENOTDIR)
    #expect(failure { _ = try Machine.captured(root: "") } == ENOENT)
  }

  @Test func `the live tree is this computer`() throws {
    let live = Machine.live()
    #expect(live.nature == .live)
    #expect(try live.files.entries(of: "/proc/self/fd").isEmpty == false)
    #expect(try live.files.canonicalPath(of: "/proc/self") == "/proc/\(getpid())")
    #expect(try live.files.linkTarget(of: "/proc/self") == "\(getpid())")
    #expect(try live.files.statistics(of: "/proc").blocks == 0)
    #expect(try live.files.statistics(of: "/").blockSize > 0)
    #expect(failure { _ = try live.files.statistics(of: "/no such place") } == ENOENT)
  }
}
