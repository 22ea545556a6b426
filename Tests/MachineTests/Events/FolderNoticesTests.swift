import GatheredKitTesting
import Glibc
import Ground
import Machine
import Testing

@Suite struct FolderNoticesTests {
  let loop: EventLoop
  let log = LineLog()
  let notices: any ChangeNotices

  init() throws {
    loop = try EventLoop()
    notices = try #require(Machine.live().notices)
  }

  private func subscribe(to topic: ChangeTopic, as name: String) throws -> any Cancellable {
    try notices.subscribe(to: topic, on: loop) { [log] _ in log.add(name) }
  }

  @Test func `a burst is few notices, at any depth`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("/a.slice")
    let watch = try subscribe(to: .folders(below: folder.path), as: "folders")
    for number in 0..<200 { try folder.makeFolder("/a.slice/\(number).service/b.scope") }
    #expect((1..<100).contains(log.wait(for: 1).count))
    for number in 0..<200 { try folder.remove("/a.slice/\(number).service") }
    #expect((2..<100).contains(log.wait(for: 2).count))
    watch.cancel()
    loop.stop()
  }

  @Test func `there is a notice every 5 s though nothing comes`() throws {
    let folder = try TemporaryFolder()
    let before = loop.now.nanoseconds
    let watch = try subscribe(to: .folders(below: folder.path), as: "folders")
    #expect(log.wait(for: 2).count == 2)
    #expect(loop.now.nanoseconds - before >= 10_000_000_000)
    watch.cancel()
    loop.stop()
  }

  @Test func `a file that is written is a notice to its subscribers alone`() throws {
    let folder = try TemporaryFolder()
    for name in ["/one", "/two"] { try folder.write([65], to: name) }
    let one = try subscribe(to: .file(path: folder.path + "/one"), as: "one")
    let two = try subscribe(to: .file(path: folder.path + "/two"), as: "two")
    try RootedFileTree.live.write([66], to: folder.path + "/two")
    #expect(Set(log.wait(for: 1)) == ["two"])
    two.cancel()
    try RootedFileTree.live.write([67], to: folder.path + "/one")
    Patience.wait { log.lines.contains("one") }
    #expect(log.lines.contains("one"))
    one.cancel()
    loop.stop()
  }

  @Test func `a file that a program opens or closes is a notice, and its reading is none`() throws {
    let folder = try TemporaryFolder()
    try folder.write([65], to: "/one")
    let watch = try subscribe(to: .use(path: folder.path + "/one"), as: "use")
    let opened = open(folder.path + "/one", O_RDONLY)
    #expect(log.wait(for: 1) == ["use"])
    var byte: UInt8 = 0
    #expect(read(opened, &byte, 1) == 1)
    close(opened)
    #expect(log.wait(for: 2) == ["use", "use"])
    watch.cancel()
    loop.stop()
  }

  @Test func `what is not there cannot be watched`() throws {
    for topic in [
      ChangeTopic.folders(below: "/none"), .file(path: "/none"), .use(path: "/none"),
    ] {
      #expect(throws: SystemError(ENOENT, at: "/none")) {
        try notices.subscribe(to: topic, on: loop) { _ in }
      }
    }
    loop.stop()
  }

  @Test(.enabled(if: ControlGroups.folder != nil, "no control groups of version 2 to make"))
  func `real control groups come and go, and no watch keeps one`() throws {
    let root = try #require(ControlGroups.folder) + "/gathered-\(getpid())"
    #expect(mkdir(root, 0o755) == 0)
    defer { rmdir(root) }
    let watch = try subscribe(to: .folders(below: root), as: "folders")
    let groups = (0..<100).map { "\(root)/\($0).service" }
    for _ in 0..<3 {
      for group in groups { #expect(mkdir(group, 0o755) == 0) }
      let numbers = groups.map(ControlGroups.number)
      #expect(Patience.wait { numbers.allSatisfy(ControlGroups.watched.contains) })
      for group in groups { #expect(rmdir(group) == 0) }
      #expect(Patience.wait { !numbers.contains(where: ControlGroups.watched.contains) })
    }
    #expect(!log.wait(for: 1).isEmpty)
    watch.cancel()
    loop.stop()
  }

  @Test(.enabled(if: ControlGroups.folder != nil, "no control groups of version 2 to make"))
  func `a process that enters a real control group is a notice`() throws {
    let root = try #require(ControlGroups.folder) + "/gathered-\(getpid()).scope"
    #expect(mkdir(root, 0o755) == 0)
    defer { rmdir(root) }
    let watch = try subscribe(to: .file(path: "\(root)/cgroup.events"), as: "events")
    let script = "echo $$ > \(root)/cgroup.procs; exec sleep 600"
    let child = try ChildProcess(["/bin/sh", "-c", script])
    #expect(log.wait(for: 1).first == "events")
    child.end()
    #expect(log.wait(for: 2).count >= 2)
    watch.cancel()
    loop.stop()
  }
}

/// Where this computer lets tests make control groups of version 2.
enum ControlGroups {
  static let folder: String? = {
    let files = RootedFileTree.live
    let table = try? PolledFile("/proc/self/mountinfo", in: files, limit: 1 << 20).read()
    let lines = String(decoding: table ?? [], as: UTF8.self).split(separator: "\n")
    let mounted = lines.first { $0.contains(" - cgroup2 ") }?.split(separator: " ")
    guard let path = mounted?.dropFirst(4).first.map(String.init) else { return nil }
    let trial = "\(path)/gathered-trial-\(getpid())"
    guard mkdir(trial, 0o755) == 0 else { return nil }
    rmdir(trial)
    return path
  }()

  /// The number of a group's folder, as fdinfo writes it.
  static func number(of path: String) -> String {
    var status = stat()
    _ = stat(path, &status)
    return "ino:" + String(status.st_ino, radix: 16)
  }

  /// The numbers of what this process watches by inotify(7).
  static var watched: Set<String> {
    let files = RootedFileTree.live
    let names = (try? files.entries(of: "/proc/self/fdinfo")) ?? []
    return Set(
      names.flatMap { name -> [String] in
        let file = PolledFile("/proc/self/fdinfo/\(name)", in: files, limit: 1 << 20)
        let text = String(decoding: (try? file.read()) ?? [], as: UTF8.self)
        return text.split(separator: "\n").filter { $0.hasPrefix("inotify wd:") }
          .compactMap { $0.split(separator: " ").first { $0.hasPrefix("ino:") }.map(String.init) }
      })
  }
}
