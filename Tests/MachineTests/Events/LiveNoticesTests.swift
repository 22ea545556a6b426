import GatheredKitTesting
import Glibc
import Ground
import Machine
import Testing

@Suite struct LiveNoticesTests {
  let loop: EventLoop
  let log = LineLog()
  let notices: any ChangeNotices

  init() throws {
    loop = try EventLoop()
    notices = try #require(Machine.live().notices)
  }

  private func failure(of topic: ChangeTopic) -> Int32? {
    do throws(SystemError) {
      _ = try notices.subscribe(to: topic, on: loop) { _ in }
      return nil
    } catch {
      return error.code
    }
  }

  @Test(.enabled(if: Mounting.isPermitted, "no permission to mount"))
  func `a mount is a notice to every subscriber until it ends its subscription`() throws {
    let folder = try TemporaryFolder()
    let first = try notices.subscribe(to: .mounts, on: loop) { [log] _ in log.add("notice") }
    let second = try notices.subscribe(to: .mounts, on: loop) { [log] _ in log.add("notice") }
    #expect(log.lines.isEmpty)
    #expect(Mounting.mountMemory(on: folder.path))
    #expect(log.wait(for: 2).count >= 2)
    let sizes = try RootedFileTree.live.statistics(of: folder.path)
    #expect(sizes.blocks * sizes.blockSize == 1 << 20)
    first.cancel()
    second.cancel()
    #expect(Mounting.unmount(folder.path))
    loop.stop()
  }

  @Test func `what cannot be listened to says why`() throws {
    let folder = try TemporaryFolder()
    try folder.write([65], to: "/file")
    #expect(failure(of: .attribute(path: folder.path + "/file")) == EOPNOTSUPP)
    #expect(failure(of: .attribute(path: folder.path + "/none")) == ENOENT)
    #expect(failure(of: .attribute(path: folder.path)) == EISDIR)
    #expect(failure(of: .switches(path: folder.path + "/none")) == ENOENT)
    #expect(failure(of: .switches(path: folder.path + "/file")) == EOPNOTSUPP)
    loop.stop()
  }

  @Test func `a sysfs attribute that has not changed says nothing`() throws {
    let path = "/sys/kernel/uevent_seqnum"
    let subscription = try notices.subscribe(to: .attribute(path: path), on: loop) { [log] _ in
      log.add("notice")
    }
    for _ in 0..<3 { loop.submit { [log] in log.add("job") } }
    #expect(log.wait(for: 3) == ["job", "job", "job"])
    subscription.cancel()
    loop.stop()
  }

  @Test func `under a manual clock the kernel cannot be listened to`() {
    let loop = VirtualLoop()
    #expect(throws: SystemError.self) {
      _ = try notices.subscribe(to: .mounts, on: loop) { _ in }
    }
  }

  @Test func `switches of a device that is missing are an error with its errno`() {
    #expect(throws: SystemError(ENOENT, at: "/dev/input/event9999")) {
      _ = try Machine.live().switches.switchesOn(of: "event9999")
    }
  }
}

/// Mounting a small file system in memory, which only a privileged process may.
enum Mounting {
  static var isPermitted: Bool {
    guard let folder = try? TemporaryFolder(), mountMemory(on: folder.path) else { return false }
    return unmount(folder.path)
  }

  static func mountMemory(on path: String) -> Bool {
    typealias Mount =
      @convention(c) (
        UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>, UInt,
        UnsafePointer<CChar>
      ) -> Int32
    let mount = try? SharedLibrary("libc.so.6", package: "libc6").function("mount", as: Mount.self)
    return mount?("none", path, "tmpfs", 0, "size=1m") == 0
  }

  static func unmount(_ path: String) -> Bool {
    typealias Unmount = @convention(c) (UnsafePointer<CChar>) -> Int32
    let unmount = try? SharedLibrary("libc.so.6", package: "libc6")
      .function("umount", as: Unmount.self)
    return unmount?(path) == 0
  }
}
