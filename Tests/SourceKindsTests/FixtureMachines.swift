import GatheredKitTesting
import Machine

/// The captured machine of a name in `Tests/Fixtures/machines`.
func machine(named name: String, beside file: String = #filePath) -> Machine {
  let tests = file.split(separator: "/").dropLast(2).joined(separator: "/")
  return Machine.captured(root: "/\(tests)/Fixtures/machines/\(name)")
}
