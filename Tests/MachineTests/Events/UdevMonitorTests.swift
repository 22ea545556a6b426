import GatheredKitTesting
import Ground
import Machine
import Testing

extension UdevTests {
  /// libudev against umockdev's pretended devices: run the tests under `umockdev-wrapper`.
  @Suite(.enabled(if: Umockdev.isActive, "not run under umockdev-wrapper"))
  struct UdevMonitorTests {
    @Test func `uevents reach the subscribers of their subsystem, with action and path`() throws {
      let testbed = try #require(Umockdev())
      let battery = testbed.add("power_supply", "BAT0", attributes: ["type", "Battery"])
      let screen = testbed.add("drm", "card0", attributes: ["enabled", "1"])
      let loop = try EventLoop()
      let log = LineLog()
      let notices = try #require(Machine.live().notices)
      let note: @Sendable (ChangeNotice) -> Void = { notice in
        log.add("\(notice.action) \(notice.devicePath) \(loop.isCurrent)")
      }
      let topic = ChangeTopic.devices(subsystem: "power_supply")
      let first = try notices.subscribe(to: topic, on: loop, note)
      testbed.send("change", of: screen)
      testbed.send("change", of: battery)
      let fromBattery = "change /devices/BAT0 true"
      #expect(log.wait(for: 1) == [fromBattery])

      let second = try notices.subscribe(to: .devices(subsystem: "drm"), on: loop, note)
      testbed.send("add", of: screen)
      #expect(log.wait(for: 2) == [fromBattery, "add /devices/card0 true"])

      first.cancel()
      testbed.send("change", of: battery)
      testbed.send("remove", of: screen)
      let all = [fromBattery, "add /devices/card0 true", "remove /devices/card0 true"]
      #expect(log.wait(for: 3) == all)
      second.cancel()
      loop.stop()
    }

    @Test func `attributes of pretended devices are read through the preload`() throws {
      let testbed = try #require(Umockdev())
      let path = testbed.add("power_supply", "BAT7", attributes: ["capacity", "42\n"])
      let live = RootedFileTree.live
      #expect(try Array(PolledFile(path + "/capacity", in: live).read()) == Array("42\n".utf8))
      #expect(try live.entries(of: "/sys/class/power_supply") == ["BAT7"])
      let canonical = try live.canonicalPath(of: "/sys/class/power_supply/BAT7")
      #expect(canonical.hasSuffix("/sys/devices/BAT7"))
    }
  }
}

/// A testbed of libumockdev, through its C functions.
private final class Umockdev {
  private typealias Strings = UnsafePointer<UnsafePointer<CChar>?>
  private typealias AddDevice =
    @convention(c) (
      OpaquePointer, UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>?, Strings,
      Strings
    ) -> UnsafePointer<CChar>?
  private typealias Send =
    @convention(c) (
      OpaquePointer, UnsafePointer<CChar>, UnsafePointer<CChar>
    ) -> Void

  private static let library = try? SharedLibrary("libumockdev.so.0", package: "libumockdev0")
  private let testbed: OpaquePointer
  private let addDevice: AddDevice
  private let sendEvent: Send
  private let release: @convention(c) (OpaquePointer) -> Void

  static var isActive: Bool {
    // umockdev_in_mock_environment() says no before there is a testbed.
    let maps = PolledFile("/proc/self/maps", in: RootedFileTree.live, limit: 1 << 24)
    let text = (try? maps.read()).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return text.contains("libumockdev-preload")
  }

  init?() {
    guard let library = Self.library,
      let make = try? library.function(
        "umockdev_testbed_new", as: (@convention(c) () -> OpaquePointer?).self),
      let addDevice = try? library.function("umockdev_testbed_add_devicev", as: AddDevice.self),
      let sendEvent = try? library.function("umockdev_testbed_uevent", as: Send.self),
      let release = try? library.function(
        "g_object_unref", as: (@convention(c) (OpaquePointer) -> Void).self),
      let testbed = make()
    else { return nil }
    self.testbed = testbed
    self.addDevice = addDevice
    self.sendEvent = sendEvent
    self.release = release
  }

  deinit {
    release(testbed)
  }

  /// Adds a device with one attribute; its path below `/sys`.
  func add(_ subsystem: String, _ name: String, attributes: [String]) -> String {
    attributes[0].withCString { key in
      attributes[1].withCString { value in
        let path = addDevice(testbed, subsystem, name, nil, [key, value, nil], [nil])
        return path.map { String(cString: $0) } ?? ""
      }
    }
  }

  func send(_ action: String, of device: String) {
    sendEvent(testbed, device, action)
  }
}
