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

  @Test func `a folder that comes, at any depth, is a notice, and one that goes`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("/a.slice")
    let watch = try subscribe(to: .folders(below: folder.path), as: "folders")
    try folder.makeFolder("/a.slice/b.service")
    #expect(log.wait(for: 1) == ["folders"])
    try folder.makeFolder("/a.slice/b.service/c.scope")
    #expect(log.wait(for: 2).count == 2)
    try folder.remove("/a.slice/b.service/c.scope")
    #expect(log.wait(for: 3).count == 3)
    watch.cancel()
    loop.stop()
  }

  @Test func `a burst is one notice, and files are none`() throws {
    let folder = try TemporaryFolder()
    let watch = try subscribe(to: .folders(below: folder.path), as: "folders")
    try folder.write([65], to: "/file")
    for number in 0..<200 { try folder.makeFolder("/\(number).service") }
    #expect(log.wait(for: 1) == ["folders"])
    for number in 0..<200 { try folder.remove("/\(number).service") }
    #expect(log.wait(for: 2) == ["folders", "folders"])
    watch.cancel()
    loop.stop()
  }

  @Test func `there is a notice every 5 s though nothing comes`() throws {
    let folder = try TemporaryFolder()
    let before = loop.now.nanoseconds
    let watch = try subscribe(to: .folders(below: folder.path), as: "folders")
    #expect(log.wait(for: 1) == ["folders"])
    #expect(loop.now.nanoseconds - before >= 5_000_000_000)
    watch.cancel()
    loop.stop()
  }

  @Test func `a file that is written is a notice to each of its subscribers`() throws {
    let folder = try TemporaryFolder()
    for name in ["/one", "/two"] { try folder.write([65], to: name) }
    let one = try subscribe(to: .file(path: folder.path + "/one"), as: "one")
    let two = try subscribe(to: .file(path: folder.path + "/two"), as: "two")
    try RootedFileTree.live.write([66], to: folder.path + "/two")
    #expect(log.wait(for: 1).first == "two")
    two.cancel()
    try RootedFileTree.live.write([67], to: folder.path + "/two")
    try RootedFileTree.live.write([67], to: folder.path + "/one")
    // Opening for writing and writing may be two notices.
    var count = 2
    while !log.wait(for: count).contains("one") { count += 1 }
    one.cancel()
    loop.stop()
  }

  @Test func `what is not there cannot be watched, and leaves no descriptor`() throws {
    let before = try RootedFileTree.live.entries(of: "/proc/self/fd").count
    for topic in [ChangeTopic.folders(below: "/none"), .file(path: "/none")] {
      #expect(throws: SystemError(ENOENT, at: "/none")) {
        try notices.subscribe(to: topic, on: loop) { _ in }
      }
    }
    #expect(try RootedFileTree.live.entries(of: "/proc/self/fd").count <= before + 1)
    loop.stop()
  }

  @Test(.enabled(if: ControlGroups.folder != nil, "no control groups of version 2 to make"))
  func `real control groups come and go without a watch that is left`() throws {
    let root = try #require(ControlGroups.folder) + "/gathered-\(getpid())"
    #expect(mkdir(root, 0o755) == 0)
    defer { rmdir(root) }
    let watch = try subscribe(to: .folders(below: root), as: "folders")
    for round in 1...3 {
      for number in 0..<100 { #expect(mkdir("\(root)/\(number).service", 0o755) == 0) }
      #expect(log.wait(for: 2 * round - 1).count >= 2 * round - 1)
      for number in 0..<100 { #expect(rmdir("\(root)/\(number).service") == 0) }
      #expect(log.wait(for: 2 * round).count >= 2 * round)
    }
    #expect(ControlGroups.watches == 1)
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
    let table =
      (try? PolledFile("/proc/self/mountinfo", in: RootedFileTree.live, limit: 1 << 20).read())
    let lines = String(decoding: table ?? [], as: UTF8.self).split(separator: "\n")
    let mounted = lines.first { $0.contains(" - cgroup2 ") }?.split(separator: " ")
    guard let path = mounted?.dropFirst(4).first.map(String.init) else { return nil }
    let trial = "\(path)/gathered-trial-\(getpid())"
    guard mkdir(trial, 0o755) == 0 else { return nil }
    rmdir(trial)
    return path
  }()

  /// How many watches of inotify(7) this process has on control groups.
  static var watches: Int {
    let names = (try? RootedFileTree.live.entries(of: "/proc/self/fdinfo")) ?? []
    return names.reduce(0) { count, name in
      let file = PolledFile("/proc/self/fdinfo/\(name)", in: RootedFileTree.live, limit: 1 << 20)
      let text = String(decoding: (try? file.read()) ?? [], as: UTF8.self)
      return count + text.split(separator: "\n").count { $0.hasPrefix("inotify wd:") }
    }
  }
}
