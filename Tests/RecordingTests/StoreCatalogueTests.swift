import DataSources
import GatheredKitTesting
import Gathering
import Recording
import Testing
import Values

/// Stores that are opened by the name of their type (data sources 2.3).
struct StoreCatalogueTests {
  private func open(
    _ type: String, _ options: ValueDictionary, dataHome: String? = nil
  ) throws -> String? {
    let workers = StoreWorkers()
    defer { workers.end() }
    return try StoreCatalogue.open(type, options, among: workers, dataHome: dataHome).name
  }

  @Test func `a store has the name that its options give`() throws {
    let folder = try TemporaryFolder()
    #expect(try open("void", [:]) == nil)
    #expect(try open("memory", ["name": .string("notes")]) == "notes")
    #expect(
      try open(
        "storage", ["name": .string("file"), "store": .string("notes")], dataHome: folder.path)
        == "notes")
    #expect(try open("files", ["folder": .string(folder.path + "/entries")]) == nil)
  }

  @Test func `an unknown type is told with the nearest one`() {
    #expect {
      try open("memroy", [:])
    } throws: { error in
      guard case SourceError.notFound(let message)? = error as? SourceError else { return false }
      return message.contains("memory")
    }
  }

  @Test func `wrong options are refused with their reason`() {
    #expect(throws: OptionError(#"memory has no option "size""#)) {
      try open("memory", ["size": .int(1)])
    }
    #expect(throws: OptionError("sqlite needs a path")) { try open("sqlite", [:]) }
    #expect(throws: OptionError("naming of files must be sha256 or plain")) {
      try open("files", ["folder": .string("/nowhere"), "naming": .string("md5")])
    }
    #expect(
      throws: OptionError(
        "layout of storage must be regular, or prefix or root with the option of that name and "
          + "not the other")
    ) {
      try open("storage", ["layout": .string("prefix")])
    }
    #expect(throws: OptionError("a column is described by a DICT")) {
      try open(
        "sqlite",
        ["path": .string("/nowhere"), "table": .string("t"), "columns": .list([.int(1)])])
    }
  }
}
