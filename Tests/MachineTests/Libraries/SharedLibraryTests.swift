import Glibc
import Ground
import Machine
import Testing

@Suite struct SharedLibraryTests {
  @Test func `M1: a missing library has a reason and the package that brings it`() {
    do throws(MissingLibrary) {
      _ = try SharedLibrary("libgkit-none.so.9", package: "libnone9")
      Issue.record("opened a library that does not exist")
    } catch {
      #expect(error.package == "libnone9")
      #expect(error.reason.contains("libgkit-none.so.9"))
      #expect(error.systemError == SystemError(ELIBACC, at: "libgkit-none.so.9"))
    }
  }

  @Test func `functions are found by name and type, and a missing one is named`() throws {
    let libc = try SharedLibrary("libc.so.6", package: "libc6")
    let absolute = try libc.function("abs", as: (@convention(c) (Int32) -> Int32).self)
    #expect(absolute(-7) == 7)
    do throws(MissingLibrary) {
      _ = try libc.function("gkit_none", as: (@convention(c) () -> Void).self)
      Issue.record("found a function that does not exist")
    } catch {
      #expect(error.reason == "libc.so.6 has no function gkit_none")
    }
  }
}
