@testable import Gathering
@testable import SourceKinds

/// Scripts of simulated devices: a refusal names a line that is there.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Input(data, count).bytes
  let lines = bytes.count { $0 == 10 } + 1
  do {
    let script = try Script(parsing: bytes, catalogue: SourceCatalogue.all)
    require(script.lines.count <= lines, "a line says one thing")
  } catch {
    let words = error.message.split(separator: " ")
    require(words.count > 1 && words[0] == "line", "an error begins with its line")
    let number = Int(words[1].dropLast()) ?? 0
    require((1...lines).contains(number), "the line of an error is there")
  }
  return 0
}
