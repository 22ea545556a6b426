import GatheredKitTesting
import Glibc
import Machine
import Testing

@Suite struct CaptureTests {
  @Test func `a captured machine reads as itself, and belongs to its user alone`() throws {
    let folder = try TemporaryFolder()
    let copy = folder.path + "/copy"
    let outcome = try Program.run("capture", copy, "--allow", "all")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.contains(" files of "))
    var status = stat()
    #expect(stat(copy, &status) == 0 && status.st_mode & 0o777 == 0o700)
    #expect(stat(copy + "/proc/cpuinfo", &status) == 0 && status.st_mode & 0o777 == 0o600)
    for property in ["cpu_model", "kernel_version", "hostname", "os_name"] {
      let id = "device_metadata/" + property
      let here = try Program.run("read", id, "--allow", "all")
      let there = try Program.run("read", id, "--allow", "all", "--context", "local:root=" + copy)
      #expect(here.output == there.output, "\(id)")
    }
  }

  @Test func `a folder that holds something is not written to`() throws {
    let folder = try TemporaryFolder()
    try folder.write([1], to: "/mine")
    let outcome = try Program.run("capture", folder.path)
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("is not empty"))
    #expect(try RootedFileTree.live.entries(of: folder.path) == ["mine"])
    let file = try Program.run("capture", folder.path + "/mine")
    #expect(file.code == 1 && file.errors.contains("not a folder"))
  }

  @Test func `only what has files is captured`() throws {
    let folder = try TemporaryFolder()
    let outcome = try Program.run("capture", folder.path + "/copy", "--context", "sim:laptop")
    #expect(outcome.code == 2)
    #expect(access(folder.path + "/copy", F_OK) != 0)
  }
}

/// What a hostile server sends is on no terminal but as an answer (sources M3).
@Suite struct StandardErrorTests {
  @Test(arguments: [
    "<context><device id=\"REMOTE-TEXT", "REMOTE-TEXT",
    "<!DOCTYPE context [<!ENTITY a \"REMOTE-TEXT",
    "<context name=\"x\"><REMOTE-TEXT/></context>",
  ])
  func `libxml2 says nothing of what it is sent`(text: String) throws {
    let iiod = try FaultyIiod(.text(text))
    let outcome = try Program.run("list", "iio", "--context", "ip:127.0.0.1:\(iiod.port)")
    #expect(!outcome.errors.contains("REMOTE-TEXT"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("parser error"), "\(outcome.errors)")
    let lines = outcome.errors.split(separator: "\n")
    let isOurs = lines.allSatisfy { $0.hasPrefix("gathered: ") || $0.hasPrefix("  remedy: ") }
    #expect(isOurs, "\(outcome.errors)")
  }

  @Test func `libasound says nothing of a device that is none`() throws {
    let outcome = try Program.run(
      "read", "microphone", "--allow", "microphone", "--context", "local:alsa=nowhere:CARD=7")
    let lines = outcome.errors.split(separator: "\n")
    let isOurs = lines.allSatisfy { $0.hasPrefix("gathered: ") || $0.hasPrefix("  remedy: ") }
    #expect(isOurs, "\(outcome.errors)")
  }

  @Test func `sd-bus and GLib say nothing of a bus that is none`() throws {
    let outcome = try Program.run(
      "list", "--context", "local:bus=unix:path=/nowhere",
      environment: ["DBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere"])
    #expect(outcome.errors == "")
  }
}
