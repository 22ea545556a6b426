import GatheredKitTesting
import Machine

/// The captured machine of a name in `Tests/Fixtures/machines`.
func machine(named name: String, beside file: String = #filePath) throws -> Machine {
  let tests = file.split(separator: "/").dropLast(2).joined(separator: "/")
  return try Machine.captured(root: "/\(tests)/Fixtures/machines/\(name)")
}
