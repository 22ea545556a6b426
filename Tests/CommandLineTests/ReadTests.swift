import Gathering
import Testing
import Values

struct ReadTests {
  private let device = """
    0 add memory|machine
    0 set memory|machine/total 8589934592
    0 set memory|machine/available 4294967296
    0 absent memory|machine/dirty permission the guard said no
    0 absent memory|machine/zswap unsupported this kernel has none
    0 error memory|machine/shared 5

    """

  @Test func `R10: read prints exact values in their declared units`() throws {
    let script = try Script(device)
    let outcome = try Program.run("read", "memory", "--context", script.context)
    #expect(outcome.code == 0)
    #expect(outcome.lines.first?.hasPrefix("memory|machine") == true)
    let words = outcome.lines.map { $0.split(separator: " ").joined(separator: " ") }
    #expect(words.contains("total 8589934592 By"))
  }

  @Test func `V5: a value that is missing costs no neighbour and says why`() throws {
    let script = try Script(device)
    let outcome = try Program.run("read", "memory", "--context", script.context)
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("permission: the guard said no"))
    #expect(outcome.output.contains("unsupported: this kernel has none"))
    #expect(outcome.output.contains("4294967296 By"))
  }

  @Test func `a property id prints that value alone`() throws {
    let script = try Script(device)
    let outcome = try Program.run("read", "memory/available", "--context", script.context)
    #expect(outcome.code == 0)
    #expect(outcome.output == "4294967296 By\n")
  }

  @Test func `one value that cannot be read ends with 1 and the reason`() throws {
    let script = try Script(device)
    let outcome = try Program.run("read", "memory/dirty", "--context", script.context)
    #expect(outcome.code == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("memory/dirty: permission: the guard said no"))
  }

  @Test func `R11: JSON has id, time and every value with unit and status`() throws {
    let script = try Script(device)
    let outcome = try Program.run("read", "memory", "--json", "--context", script.context)
    #expect(outcome.lines.count == 1)
    guard case .dictionary(let record) = try Value(json: outcome.output),
      case .dictionary(let values) = record["values"] ?? .none,
      case .dictionary(let total) = values["total"] ?? .none,
      case .dictionary(let dirty) = values["dirty"] ?? .none
    else {
      Issue.record("not a record: \(outcome.output)")
      return
    }
    #expect(record["id"] == .string("memory|machine"))
    #expect(record["time_ns"]?.type == .int)
    #expect(
      total == ["value": .int(8_589_934_592), "unit": .string("By"), "status": .string("ok")])
    #expect(dirty["value"] == Value.none)
    #expect(dirty["status"] == .string("permission"))
    #expect(dirty["reason"] == .string("the guard said no"))
  }

  @Test func `a source that is not there ends with 1 and leaves the others alone`() throws {
    let script = try Script(device)
    let outcome = try Program.run(
      "read", "battery", "memory/total", "nonsense", "--context", script.context)
    #expect(outcome.code == 1)
    #expect(outcome.output == "8589934592 By\n")
    #expect(outcome.errors.contains("gathered: battery: no such hardware"))
    #expect(outcome.errors.contains("no kind \"nonsense\""))
  }

  @Test func `an unknown key ends with 1 and the keys there are`() throws {
    let outcome = try Program.run("read", "memory/nothing", "--context", "sim:laptop")
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("no property \"nothing\"; there are total, available"))
  }

  @Test func `I8: rates are read twice`() throws {
    let outcome = try Program.run("read", "cpu/usage", "--context", "sim:laptop&clock=manual")
    #expect(outcome.code == 0)
    #expect(outcome.errors.isEmpty)
  }

  @Test func `P1: what is personal is withheld until its category is allowed`() throws {
    let arguments = ["read", "device_metadata/hostname", "--context", "sim:laptop"]
    let withheld = try Program(arguments).finish()
    #expect(withheld.code == 1)
    #expect(withheld.errors.contains("remedy: open the context with allow=hostname"))
    let allowed = try Program(arguments + ["--allow", "hostname"]).finish()
    #expect(allowed.code == 0)
    #expect(allowed.lines.count == 1)
  }

  @Test func `without ids everything that is there is read, and nothing that is missing`() throws {
    let probe = "0 add temperature|probe\n0 set temperature|probe/temperature 20\n"
    let script = try Script(device + probe)
    let outcome = try Program.run("read", "--context", script.context)
    #expect(outcome.code == 0)
    #expect(outcome.errors.isEmpty)
    #expect(outcome.output.contains("memory|machine"))
    #expect(outcome.output.contains("temperature|probe"))
    #expect(outcome.output.contains("20 Cel"))
    #expect(!outcome.output.contains("unsupported"))
    let objects = try Program.run("read", "--json", "--context", script.context)
    #expect(objects.lines.count == 2)
    let nothing = try Program.run("read", "--context", "sim:empty")
    #expect(nothing.code == 1)
    #expect(nothing.errors.contains("gathered: there is nothing to read"))
  }

  @Test(arguments: ["storage|/", "storage|/home", "storage|%2Fhome"])
  func `an instance is named as it is called`(id: String) throws {
    let outcome = try Program.run("read", id, id + "/total", "--context", "sim:laptop")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix(id.contains("home") ? "storage|%2Fhome" : "storage|%2F "))
    #expect(outcome.lines.last?.hasSuffix(" By") == true)
  }

  @Test func `a terminal gets numbers scaled for people`() throws {
    let script = try Script(device)
    let outcome = try Program(
      ["read", "memory/total", "--context", script.context],
      to: .terminal(columns: 80, rows: 24)
    ).finish()
    #expect(outcome.output.hasPrefix("8 GiB"))
  }

  @Test func `V15: no view mixes shares with percentages, and pipes are exact`() throws {
    let words = ["read", "cpu", "battery", "--context", "sim:laptop&clock=manual"]
    let shown = try Program(
      words, to: .terminal(columns: 80, rows: 60), environment: ["NO_COLOR=1"]
    ).finish()
    for key in ["usage", "user", "system", "iowait", "level", "health"] {
      let lines = shown.output.split(whereSeparator: \.isNewline).filter {
        $0.split(separator: " ").first == Substring(key)
      }
      #expect(lines.count == 1 && lines.allSatisfy { $0.contains(" %") }, "\(key): \(lines)")
    }
    #expect(shown.output.contains(" Wh"))
    let piped = try Program(words).finish()
    #expect(piped.output.contains(" J\n"))
  }
}
