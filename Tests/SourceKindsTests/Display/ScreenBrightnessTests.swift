import GatheredKitTesting
import Gathering
import Machine
import Testing
import Values

@testable import SourceKinds

private let name = "org.freedesktop.login1"
private let sessionInterface = "org.freedesktop.login1.Session"
private let light = "/sys/class/backlight/intel_backlight"

/// Brightness set through logind, which dbusmock plays, where the backlight's file is closed to us.
@Suite(.enabled(if: PrivateBus.isInstalled, "dbus or python3-dbusmock is not installed"))
struct ScreenBrightnessTests {
  private let bus: PrivateBus
  private let fixture: FixtureMachine
  private let context: Context
  private let source: Source

  init() throws {
    bus = try PrivateBus()
    let panel = "/sys/class/drm/card1-eDP-1"
    fixture = try FixtureMachine(
      [
        panel + "/status": "connected\n", light + "/brightness": "300\n",
        light + "/max_brightness": "400\n", light + "/actual_brightness": "300\n",
      ], bus: SystemBus(address: bus.address))
    fixture.fail(light + "/brightness", with: 13)
    context = try Context.open(on: fixture.machine, loop: fixture.loop, catalogue: [Screen()])
    source = try context.open("screen|eDP-1")
  }

  /// Starts logind with a session, whose method runs a line of Python.
  private func startLogind(_ session: String, _ code: String) throws -> ChildProcess {
    let logind = try bus.mock("logind", owning: name)
    try add(session, "seat0", code)
    return logind
  }

  private func add(_ session: String, _ seat: String, _ code: String) throws {
    try bus.tell(
      name, "/org/freedesktop/login1", "AddSession", .string(session), .string(seat),
      .uint32(1000), .string("anna"), .bool(true))
    try bus.tell(
      name, path(of: session), "AddMethod", .string(sessionInterface), .string("SetBrightness"),
      .string("ssu"), .string(""), .string(code))
  }

  private func path(of session: String) -> String { "/org/freedesktop/login1/session/\(session)" }

  /// What a session's method was called with, each call as text.
  private func calls(of session: String) throws -> [String] {
    let calls = try bus.tell(name, path(of: session), "GetCalls").first?.elements ?? []
    return calls.compactMap { call in
      guard case .structure(let parts) = call, parts.count == 3,
        parts[1].text == "SetBrightness"
      else { return nil }
      let arguments = parts[2].elements ?? []
      return "\(arguments[0].text ?? "") \(arguments[1].text ?? "") \(arguments[2].integer ?? -1)"
    }
  }

  private func refusal() throws -> Availability {
    let error = #expect(throws: SourceError.self) {
      try source.set(.double(0.5), ofPropertyAt: 0)
    }
    guard case .unavailable(let availability) = error else {
      Issue.record("\(error)")
      return Availability(.available)
    }
    return availability
  }

  @Test func `logind sets what the file refuses, for our own session`() throws {
    let logind = try startLogind("auto", "")
    try source.set(.double(0.251), ofPropertyAt: 0)
    #expect(try calls(of: "auto") == ["backlight intel_backlight 100"])
    try context.close()
    withExtendedLifetime(logind) {}
  }

  @Test func `a file system that is not to be written is refused like a file`() throws {
    let logind = try startLogind("auto", "")
    fixture.mend(light + "/brightness")
    try source.set(.double(1), ofPropertyAt: 0)
    #expect(try calls(of: "auto") == ["backlight intel_backlight 400"])
    try context.close()
    withExtendedLifetime(logind) {}
  }

  private func raising(_ error: String, _ text: String) -> String {
    "raise dbus.exceptions.DBusException('\(text)', name='\(error)')"
  }

  private let noSeat = "org.freedesktop.DBus.Error.NotSupported"

  @Test func `without a seat of its own, a session of the same user at one will do`() throws {
    let logind = try startLogind("auto", raising(noSeat, "Your session has no seat"))
    try add("c1", "seat1", raising("org.freedesktop.DBus.Error.AccessDenied", "Not yours"))
    try add("c2", "seat0", "")
    try source.set(.double(0.5), ofPropertyAt: 0)
    #expect(try calls(of: "c2") == ["backlight intel_backlight 200"])
    try context.close()
    withExtendedLifetime(logind) {}
  }

  @Test func `A1 a refusal names the file, logind's words, and where to log in`() throws {
    let logind = try startLogind("auto", raising(noSeat, "Your session has no seat"))
    let refusal = try refusal()
    #expect(refusal.state == .permissionDenied)
    #expect(refusal.errno == 13)
    #expect(refusal.detail.contains(light + "/brightness"))
    #expect(refusal.detail.contains("Your session has no seat"))
    #expect(refusal.remedy.hasPrefix("log in at the machine itself"))
    try context.close()
    withExtendedLifetime(logind) {}
  }

  @Test func `A1 without logind, the remedy starts it`() throws {
    let refusal = try refusal()
    #expect(refusal.state == .permissionDenied)
    #expect(refusal.remedy.hasPrefix("systemctl start systemd-logind.service"))
    fixture.mend(light + "/brightness")
    #expect(throws: SourceError.io(errno: 30, place: light + "/brightness")) {
      try source.set(.double(0.5), ofPropertyAt: 0)
    }
    try context.close()
  }
}
