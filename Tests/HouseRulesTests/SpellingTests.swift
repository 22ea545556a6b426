import Testing

/// `String` takes canonically equivalent spellings for one text, and hashes them alike: names that
/// a host gives are kept by `ExactText`, `EntryID` or another type that looks at bytes.
struct SpellingTests {
  /// Where texts are keys after all, and why that is harmless.
  private static let harmless = [
    "Sources/Gathering/Sampling/DefaultIntervals.swift": "names of kinds, in ASCII",
    "Sources/Gathering/Simulation/ScriptParser.swift": "names of kinds, in ASCII",
    "Sources/Gathering/Sampling/TextRule.swift": "words of the kernel",
    "Sources/Gathering/Contexts/ContextURI.swift": "parameters, of which there is a list",
    "Sources/Gathering/Contract/SourceKind.swift": "notes, which a kind names itself",
    "Sources/Values/Units/Unit.swift": "base units",
    "Sources/Values/Units/UnitAtoms.swift": "a table of units",
    "Sources/Values/People/UnitLadder.swift": "a table of units",
    "Sources/Patches/Documents/GraphDrawing.swift": "names of children, in ASCII",
    "Sources/Patches/Documents/GraphPlan.swift": "names of children, in ASCII",
    "Sources/Patches/Documents/GraphLoading.swift": "names of children, in ASCII",
    "Sources/Patches/Patch+Ports.swift": "the ports for Swift, beside exact ways to find one",
    "Sources/Patches/Formulas/ExpressionParser.swift": "names of variables, in ASCII",
    "Sources/Patches/Formulas/Expression.swift": "names of variables and functions, in ASCII",
    "Sources/DataSources/Stores/TableDescription.swift":
      "rows, of tables that have no two columns of such names",
    "Sources/Recording/Exporters/Metrics/MetricUnit.swift": "a table of units",
    "Sources/Recording/Exporters/Metrics/NodeValues.swift": "names of kinds and properties",
    "Sources/Recording/Exporters/Metrics/NodeTexts.swift": "names of files of the kernel",
    "Sources/Recording/DataSourceSink.swift": "the same rows; a name that comes twice is refused",
    "Sources/GatheredKitC/LibraryABI.swift": "a table of words",
  ]

  /// What a host names goes through these; the machine and its kinds speak ASCII.
  private static let floors = [
    "Values", "Streams", "AsyncStreams", "Gathering", "AsyncGathering", "Patches", "DataSources",
    "AsyncDataSources", "Recording", "GatheredKitC",
  ]

  @Test func `no case of an enumeration is named by reflection, which releases have not`() {
    let names = [#""\(self)""#, "String(describing: self)", "String(reflecting:"]
    let places = Checkout.sources.flatMap { file in
      names.flatMap { name in file.places { $0.contains(name) } }
    }
    #expect(places == [])
  }

  @Test func `no text of a host is a key as a String`() {
    let key = #/Set<String>|\[String\s?:\s/#
    let files = Checkout.sources.filter { source in
      Self.floors.contains { source.path.hasPrefix("Sources/\($0)/") }
    }
    let found = files.filter { !$0.places { $0.contains(key) }.isEmpty }.map(\.path)
    #expect(Set(found) == Set(Self.harmless.keys))
  }
}
