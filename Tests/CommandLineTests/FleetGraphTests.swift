import GatheredKitTesting
import Glibc
import Machine
import Testing

/// A graph whose sources are those of several machines.
@Suite(.enabled(if: PrivateBroker.isInstalled, Comment(rawValue: PrivateBroker.missing)))
struct FleetGraphTests {
  @Test func `one graph decides about the batteries of two machines`() throws {
    let broker = try PrivateBroker()
    let uri = "mqtt:127.0.0.1:\(broker.address.port)"
    var machines: [Program] = []
    for (device, level) in [("pi", 0.9), ("robot", 0.05)] {
      let script = try Script(
        """
        0 add battery|BAT0
        0 set battery|BAT0/level \(level)
        0 set battery|BAT0/power 2.5

        """)
      // The state is told when the broker has the connection.
      let machine = try Program(
        [
          "publish", uri, "battery|BAT0", "--device", device, "--context",
          "sim:file=\(script.path)",
        ], to: .terminal(columns: 100, rows: 20), mixingErrors: true)
      #expect(machine.read(until: "connected"))
      machines.append(machine)
    }
    let run = try Program.run(
      "graph", "run", GraphFile.example("fleet-alarms.json"), "--context", uri, "--count", "3")
    #expect(run.code == 0, "\(run)")
    let told = Set(run.lines.compactMap { $0.split(separator: " ").last })
    #expect(told == ["pi_charged=true", "robot_charged=false", "any_low=true"])
    #expect(run.errors.contains("warning: a machine's battery is low: true"), "\(run.errors)")
    // The same batteries without their ids.
    let sum = try Program(
      ["graph", "run", GraphFile.example("power-of-all.json"), "--context", uri],
      to: .terminal(columns: 100, rows: 20), mixingErrors: true)
    #expect(sum.read(until: "power=5"))
    machines.append(sum)
    for machine in machines { machine.send(SIGINT) }
    for machine in machines { #expect(machine.finish().code == 0) }
  }
}
