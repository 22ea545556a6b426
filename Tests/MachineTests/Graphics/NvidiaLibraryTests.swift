import GatheredKitTesting
import Ground
import Testing

@testable import Machine

/// A library of our own in the place of NVIDIA's (catalogue G6).
private final class StubLibrary {
  static let source: String = {
    let parts = #filePath.split(separator: "/").dropLast(3)
    return "/" + parts.joined(separator: "/") + "/Fixtures/nvml/stub.c"
  }()

  let folder: TemporaryFolder
  let library: NvidiaLibrary

  init(_ script: [String], isOld: Bool = false) throws {
    folder = try TemporaryFolder()
    let file = "\(folder.path)/\(NvidiaLibrary.file)"
    let flags = isOld ? "-DOLD" : ""
    let command =
      "cc -shared -fPIC \(flags) -DSCRIPT='\"\(folder.path)/script\"' -o \(file) \(Self.source)"
    guard try ChildProcess(["/bin/sh", "-c", command]).waitForExit() == 0 else {
      throw SystemError(8, at: Self.source)
    }
    library = NvidiaLibrary(file)
    try say(script)
  }

  /// Replaces the script at once.
  func say(_ lines: [String]) throws {
    let text = (["init 0 0", "handle 0 0"] + lines).joined(separator: "\n") + "\n"
    try folder.write(Array(text.utf8), to: "/new")
    _ = try ChildProcess(["/bin/mv", "\(folder.path)/new", "\(folder.path)/script"]).waitForExit()
  }

  /// What was opened and closed so far.
  func log() throws -> [String] {
    let file = PolledFile("\(folder.path)/script.log", in: RootedFileTree.live)
    return String(decoding: try file.read(), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Why its card cannot be asked.
  var failure: NvidiaFailure? { library.failure(of: "0000:01:00.0") }

  func read(texts: Bool = false, staysOpen: Bool = true) throws -> NvidiaReading {
    try library.read("0000:01:00.0", texts: texts, staysOpen: staysOpen)
  }
}

@Suite struct NvidiaLibraryTests {
  private static let all = [
    "utilization 0 93", "memory_utilization 0 41", "encoder 0 7", "decoder 0 3",
    "total 0 8589934592", "used 0 2147483648", "old_used 0 2400000000", "temperature 0 61",
    "memory_temperature 0 74", "power 0 118250", "power_limit 0 200000", "energy 0 7654321",
    "clock 0 1905", "memory_clock 0 7001", "clock_maximum 0 2100", "fan_speed 0 1740",
    "fan_duty 0 55", "events 0 4", "old_events 0 32", "state 0 2", "mig 0 0",
  ]

  @Test func `every question has its own answer`() throws {
    let stub = try StubLibrary(Self.all)
    let reading = try stub.read(texts: true)
    let expected: [Int64] = [
      93, 41, 7, 3, 8_589_934_592, 2_147_483_648, 61, 74, 118_250, 200_000, 7_654_321, 1905, 7001,
      2100, 1740, 55, 4, 2, 0,
    ]
    #expect(reading.numbers == expected.map { .value($0) })
    // A text without an end is cut off.
    #expect(reading.texts?[0] == .refused(3))
    #expect(reading.texts?[1] == .value("GPU-5f2c"))
    #expect(reading.texts?[2] == .value("550.163.01"))
    try stub.say(["name 0 0"])
    #expect(try stub.read(texts: true).texts?[0] == .value(String(repeating: "N", count: 96)))
    #expect(try stub.read().texts == nil)
  }

  @Test func `an old library lacks some answers, and gives others in an old way`() throws {
    let stub = try StubLibrary(Self.all, isOld: true)
    let reading = try stub.read()
    #expect(reading[.fanSpeed] == .missing && reading[.mig] == .missing)
    #expect(reading[.memoryUsed] == .value(2_400_000_000))
    #expect(reading[.events] == .value(32))
  }

  @Test func `a newer library has the temperature by another function`() throws {
    let stub = try StubLibrary(["temperature 13 0", "temperature_v 0 48"])
    #expect(try stub.read()[.temperature] == .value(48))
  }

  @Test func `a code belongs to its question alone`() throws {
    let stub = try StubLibrary(Self.all + ["power 4 0", "clock 999 0"])
    let reading = try stub.read()
    #expect(reading[.power] == .refused(4) && reading[.clock] == .refused(999))
    #expect(reading[.utilization] == .value(93))
  }

  @Test func `a library that is not ready fails for all, a card for itself`() throws {
    let stub = try StubLibrary(["init 18 0"])
    #expect(throws: NvidiaFailure.library(18)) { try stub.read() }
    #expect(stub.failure == .library(18))
    stub.library.lookAnew(at: [])
    #expect(stub.failure == nil)
    try stub.say(["handle 15 0"])
    #expect(throws: NvidiaFailure.card(15)) { try stub.read() }
    #expect(stub.failure == .card(15) && stub.library.failure(of: "0000:02:00.0") == nil)
    try stub.say([])
    _ = try stub.read()
    #expect(stub.failure == nil)
  }

  @Test func `G2, G6: nothing stays open behind a card that may sleep`() throws {
    let stub = try StubLibrary([])
    for _ in 0..<2 { _ = try stub.read(staysOpen: true) }
    #expect(try stub.log() == ["open"])
    for _ in 0..<2 { _ = try stub.read(staysOpen: false) }
    #expect(try stub.log() == ["open", "close", "open", "close", "open", "close"])
    // The other card would keep it awake.
    _ = try stub.read(staysOpen: true)
    #expect(try stub.log().last == "close")
  }

  @Test func `G6: a call that does not return is given up, and waited for by none`() throws {
    let stub = try StubLibrary(["hang power 0"])
    #expect(throws: NvidiaFailure.timedOut) { try stub.read() }
    #expect(stub.failure == .timedOut)
    // No second thread is started: all that came meanwhile is refused.
    for _ in 0..<50 { #expect(throws: NvidiaFailure.timedOut) { try stub.read() } }
    stub.library.lookAnew(at: [])
    #expect(stub.failure == .timedOut)
    #expect(try stub.log() == ["open"])
    // It has returned after all.
    try stub.say(["power 0 5"])
    #expect(Patience.wait { (try? stub.read()[.power]) == .value(5) })
    #expect(stub.failure == nil)
    #expect(try stub.log() == ["open"])
  }

  @Test func `a call that never returns holds up no end of the library`() throws {
    let stub = try StubLibrary(["hang init 0"])
    #expect(throws: NvidiaFailure.timedOut) { try stub.read() }
  }

  @Test func `without the library the package is named`() throws {
    let missing = NvidiaLibrary("libnvidia-ml-of-no-machine.so.1")
    guard case .missing(let library)? = missing.failure(of: "") else {
      Issue.record("it is there")
      return
    }
    #expect(library.package == "libnvidia-ml1")
    let folder = try TemporaryFolder()
    try folder.write(Array("no library".utf8), to: "/library.so")
    let broken = NvidiaLibrary("\(folder.path)/library.so")
    do throws(NvidiaFailure) {
      _ = try broken.read("0000:01:00.0", texts: false, staysOpen: true)
      Issue.record("it was read")
    } catch {
      guard case .missing = error else {
        Issue.record("\(error)")
        return
      }
    }
  }
}
