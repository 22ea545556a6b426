import GatheredKitTesting
import Ground
import Testing

@testable import Machine

@Suite struct LibraryTableTests {
  private let clock = VirtualLoop()

  @Test func `A4 a library that was missing is looked for again after 2 s`() throws {
    let looks = Monitor((count: 0, isThere: false))
    let table = LibraryTable(clock: clock.clock) { () throws(MissingLibrary) -> Int in
      let isThere = looks.withLock { looks in
        looks.count += 1
        return looks.isThere
      }
      if isThere { return 7 }
      throw MissingLibrary(library: "liba.so", reason: "not there", package: "liba")
    }
    #expect(throws: MissingLibrary.self) { try table.get() }
    #expect(throws: MissingLibrary.self) { try table.get() }
    #expect(looks.withLock { $0.count } == 1)
    looks.withLock { $0.isThere = true }
    clock.advance(to: clock.clock.now.boot + 1_999_999_999)
    #expect(throws: MissingLibrary.self) { try table.get() }
    clock.advance(to: clock.clock.now.boot + 1)
    #expect(try table.get() == 7)
    clock.advance(to: clock.clock.now.boot + 60_000_000_000)
    #expect(try table.get() == 7)
    #expect(looks.withLock { $0.count } == 2)
  }
}
