import Testing

/// Rule 2 and the floor plan: imports only go down, and from an `async` twin to its sibling;
/// between the ground and the doors only `Machine` asks the operating system.
struct FloorPlanTests {
  /// What each target may import, from the ground up.
  static let plan: [String: Set<String>] = [
    "CLinux": [],
    "Values": [],
    "Ground": ["CLinux", "Glibc", "Synchronization"],
    "Streams": ["Ground", "Synchronization"],
    "AsyncStreams": ["Ground", "Streams", "Synchronization"],
    "Machine": ["Ground", "CLinux", "Glibc", "Synchronization"],
    "Motion": ["Glibc"],
    // The header for the layout of a row, and C for the barrier of the turn.
    "Gathering": [
      "CGatheredKit", "CLinux", "Ground", "Values", "Streams", "Machine", "Motion",
      "Synchronization", "Glibc",
    ],
    "AsyncGathering": ["Ground", "Gathering"],
    "SourceKinds": ["Ground", "Values", "Gathering", "Machine", "Motion", "Synchronization"],
    "Patches": [
      "Ground", "Values", "Gathering", "Streams", "Motion", "Glibc", "Synchronization",
    ],
    "DataSources": ["Ground", "Values", "Streams", "Machine", "Synchronization"],
    "AsyncDataSources": ["Ground", "DataSources", "Streams", "Machine", "Synchronization"],
    // C for packing numbers and for the check sum, as in the decoding of scans.
    "Recording": ["Ground", "Values", "Gathering", "DataSources", "Streams", "Machine", "CLinux"],
    "Fleet": ["Ground", "Values", "Gathering", "Recording", "Machine"],
    "GatheredKit": [
      "Ground", "Values", "Fleet", "Recording", "SourceKinds", "Patches", "DataSources",
      "AsyncDataSources", "AsyncGathering", "Gathering", "AsyncStreams", "Streams", "Machine",
      "Motion",
    ],
    "GatheredKitC": [
      "Ground", "Values", "CGatheredKit", "CLinux", "Fleet", "Recording", "SourceKinds", "Patches",
      "DataSources", "Gathering", "Streams", "Machine", "Glibc", "Synchronization",
    ],
    "GatheredKitLibrary": ["GatheredKitC"],
    "gathered": [
      "Ground", "Values", "GatheredKit", "Fleet", "Recording", "SourceKinds", "Patches",
      "DataSources", "Gathering", "Streams", "Machine", "ArgumentParser", "Glibc",
      "Synchronization",
      "CommandOptions",
    ],
    // C for documents that are pipes.
    "CommandOptions": ["GatheredKit", "Gathering", "ArgumentParser", "Glibc"],
    // C for the addresses of networks.
    "Serving": [
      "Ground", "Values", "Recording", "Patches", "Gathering", "Streams", "Machine", "Glibc",
      "Synchronization",
    ],
    "CPage": [],
    "gathered-serve": [
      "CPage", "CommandOptions", "Ground", "Values", "GatheredKit", "Recording", "Patches",
      "Gathering", "Serving", "Machine", "ArgumentParser", "NIOCore", "NIOHTTP1", "NIOPosix",
      "Glibc", "Synchronization",
    ],
    "GatheredKitTesting": [
      "Ground", "Values", "Streams", "Machine", "Gathering", "DataSources", "AsyncDataSources",
      "Glibc", "Synchronization",
    ],
  ]

  @Test func `imports only go down`() {
    let places = Checkout.sources.flatMap { file in
      Self.imports(of: file).filter { Self.plan[file.target]?.contains($0) != true }
        .map { "\(file.path): \($0)" }
    }
    #expect(places == [])
  }

  @Test func `every target stands on a floor`() {
    let targets = Set(Checkout.entries(of: "Sources")).subtracting(Self.plan.keys)
    #expect(targets == [])
  }

  /// One such import would keep all code that touches the module from being made for the values of
  /// those who use streams: Decisions/0003.
  @Test func `no file of the streams imports a module for the package alone`() {
    let files = Checkout.sources.filter { $0.target == "Streams" }
    #expect(files.flatMap { file in file.places { $0.hasPrefix("package import ") } } == [])
  }

  @Test func `no file of the library imports Foundation`() {
    let files = Checkout.sources.filter { file in
      file.target != "gathered"
        && Self.imports(of: file).contains { $0.hasPrefix("Foundation") }
    }
    #expect(files.map(\.path) == [])
  }

  @Test func `above the machine only doors ask the operating system`() {
    let calls = #/\b(open|read|pread|write|ioctl|socket|epoll_wait|opendir|readlink|dlopen)\(\s*"/#
    let floors: Set = [
      "Ground", "Streams", "Motion", "Gathering", "SourceKinds", "Patches", "Recording",
    ]
    let files = Checkout.sources.filter { floors.contains($0.target) }
    #expect(files.flatMap { file in file.places { $0.contains(calls) } } == [])
  }

  /// The modules a file imports. An import begins in the first column.
  private static func imports(of file: SwiftFile) -> [String] {
    let words = #/^(?:@\w+ )*(?:(?:public|package|internal|fileprivate|private) )?import (\w+)/#
    return file.code.filter { !$0.hasPrefix(" ") && $0.contains("import ") }
      .compactMap { $0.firstMatch(of: words).map { String($0.1) } }
  }
}
