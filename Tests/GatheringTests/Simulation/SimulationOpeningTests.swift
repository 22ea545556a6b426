import Glibc
import Ground
import Testing

@testable import Gathering

/// Opening simulated devices by name and by file (C API R16).
struct SimulationOpeningTests {
  private let catalogue = SimulatedDevice.catalogue

  /// A script file that is gone again when the work is done.
  private func withScript(_ text: String, _ work: (String) throws -> Void) throws {
    var path = Array("/tmp/gatheredkit-script-XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    try #require(descriptor >= 0)
    defer {
      close(descriptor)
      unlink(path)
    }
    let bytes = Array(text.utf8)
    try #require(write(descriptor, bytes, bytes.count) == bytes.count)
    try work(String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self))
  }

  @Test(arguments: ["empty", "laptop", "phone"])
  func `built-in devices leave out kinds that a catalogue lacks`(name: String) throws {
    let provider = try SimulationProvider(named: name, catalogue: catalogue, loop: VirtualLoop())
    #expect(provider.discover(Gauge()).instances.isEmpty)
  }

  @Test func `an unknown device is not found, and the message names those there are`() {
    let error = #expect(throws: SourceError.self) {
      try SimulationProvider(named: "tablet", catalogue: catalogue, loop: VirtualLoop())
    }
    #expect(
      error == .notFound("no simulated device \"tablet\"; there are empty, laptop, phone"))
  }

  @Test func `a script is read from a file`() throws {
    try withScript("0 add lamp|l\n") { path in
      let provider = try SimulationProvider(
        scriptAt: path, catalogue: catalogue, loop: VirtualLoop())
      #expect(provider.discover(Lamp()).instances.map(\.name) == ["l"])
    }
  }

  @Test func `a relative path counts from the process's folder`() throws {
    try withScript("0 add lamp|l\n") { path in
      let folder = try #require(getcwd(nil, 0))
      defer { free(folder) }
      let depth = String(cString: folder).split(separator: "/").count
      let relative = String(repeating: "../", count: depth) + path.dropFirst()
      let provider = try SimulationProvider(
        scriptAt: relative, catalogue: catalogue, loop: VirtualLoop())
      #expect(provider.discover(Lamp()).instances.count == 1)
    }
  }

  @Test func `a bad line of a file is a parse error with its number`() throws {
    try withScript("# lamps\n0 add lmap|l\n") { path in
      let error = #expect(throws: SourceError.self) {
        try SimulationProvider(scriptAt: path, catalogue: catalogue, loop: VirtualLoop())
      }
      #expect(error?.message.hasPrefix("line 2: ") == true)
    }
  }

  @Test(arguments: ["/no/such/script", "no-such-script", "/etc/passwd/script"])
  func `a missing file is not found`(path: String) {
    let error = #expect(throws: SourceError.self) {
      try SimulationProvider(scriptAt: path, catalogue: catalogue, loop: VirtualLoop())
    }
    guard case .notFound = error else {
      Issue.record("\(path): \(String(describing: error))")
      return
    }
  }

  @Test func `a folder is no script`() {
    #expect(throws: SourceError.io(errno: EISDIR, place: "/tmp")) {
      try SimulationProvider(scriptAt: "/tmp", catalogue: catalogue, loop: VirtualLoop())
    }
  }
}
