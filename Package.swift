// swift-tools-version: 6.2
import PackageDescription

/// The targets from the ground up: each imports only what stands below it.
let package = Package(
  name: "GatheredKit",
  products: [
    .library(name: "GatheredKit", targets: ["GatheredKit"]),
    .library(name: "GatheredKitTesting", targets: ["GatheredKitTesting"]),
    .library(name: "gatheredkit", type: .dynamic, targets: ["GatheredKitLibrary"]),
    .executable(name: "gathered", targets: ["gathered"]),
    .executable(name: "gathered-serve", targets: ["gathered-serve"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    // Floor 0: C.
    .systemLibrary(name: "CGatheredKit", path: "include"),
    .target(
      name: "CLinux",
      cSettings: [.unsafeFlags(guardedFlags, .when(configuration: .release))]),

    // The ground: values and their texts; locks, clocks, loops, threads.
    .target(name: "Values"),
    .target(
      name: "Ground", dependencies: ["CLinux"],
      // A lock lives where it is stored, without an allocation of its own.
      swiftSettings: [.enableExperimentalFeature("RawLayout")]),

    // Floor 1: streams, the machine, mathematics.
    .target(name: "Streams", dependencies: ["Ground"]),
    .target(name: "AsyncStreams", dependencies: ["Ground", "Streams"]),
    .target(name: "Machine", dependencies: ["CLinux", "Ground"]),
    .target(name: "Motion"),

    // Floor 2: the contract.
    .target(
      name: "Gathering",
      dependencies: ["CGatheredKit", "CLinux", "Ground", "Values", "Streams", "Machine", "Motion"]),
    .target(name: "AsyncGathering", dependencies: ["Ground", "Gathering"]),

    // Floor 3: the content.
    .target(
      name: "SourceKinds", dependencies: ["Ground", "Values", "Gathering", "Machine", "Motion"]),
    .target(
      name: "Patches", dependencies: ["Ground", "Values", "Gathering", "Streams", "Motion"]),
    .target(name: "DataSources", dependencies: ["Ground", "Values", "Streams", "Machine"]),
    .target(
      name: "AsyncDataSources", dependencies: ["Ground", "DataSources", "Streams", "Machine"]),

    // Floor 4: what keeps.
    .target(
      name: "Recording",
      dependencies: [
        "CLinux", "Ground", "Values", "Machine", "Streams", "Gathering", "DataSources",
      ]),

    // What goes to other machines, and comes from them.
    .target(
      name: "Fleet",
      dependencies: ["Ground", "Values", "Machine", "Gathering", "Recording"]),

    // Floor 5: the umbrella for Swift users.
    .target(
      name: "GatheredKit",
      dependencies: [
        "Ground", "Values", "AsyncStreams", "Streams", "Machine", "AsyncGathering", "Gathering",
        "SourceKinds", "Patches", "DataSources", "AsyncDataSources", "Recording", "Fleet",
      ]),

    // Floor 6: the C door.
    .target(
      name: "GatheredKitC",
      dependencies: [
        "CGatheredKit", "CLinux", "Ground", "Values", "DataSources", "Fleet", "Gathering",
        "Machine", "Patches", "Recording", "SourceKinds", "Streams",
      ]),

    // What the server answers, whatever carries it.
    .target(
      name: "Serving",
      dependencies: [
        "Ground", "Values", "Gathering", "Machine", "Patches", "Recording", "Streams",
      ]),

    // What both commands are told on their command lines.
    .target(
      name: "CommandOptions",
      dependencies: [
        "GatheredKit", "Gathering",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),

    // Floor 7: what is shipped.
    .target(
      name: "GatheredKitLibrary", dependencies: ["GatheredKitC"],
      exclude: ["gatheredkit.map", "gatheredkit.ld", "gatheredkit.order"],
      linkerSettings: [.unsafeFlags(sharedLibraryFlags, .when(configuration: .release))]),
    .executableTarget(
      name: "gathered",
      dependencies: [
        "CommandOptions", "Fleet", "GatheredKit", "Ground", "Values", "Gathering", "Machine",
        "Patches", "Recording", "SourceKinds", "Streams",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      linkerSettings: commandLinking("GatheredKitLibrary/gatheredkit")),
    .target(name: "CPage", exclude: ["page.html"]),
    .executableTarget(
      name: "gathered-serve",
      dependencies: [
        "CPage", "CommandOptions", "GatheredKit", "Ground", "Values", "Gathering", "Machine",
        "Patches", "Recording", "Serving",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      exclude: ["gathered-serve.order"],
      linkerSettings: commandLinking("gathered-serve/gathered-serve")),

    // Beside the floors: what tests of this package and of its users stand on.
    .target(
      name: "GatheredKitTesting",
      dependencies: [
        "Ground", "Values", "Streams", "Machine", "Gathering", "DataSources", "AsyncDataSources",
      ]),

    .testTarget(name: "ValuesTests", dependencies: ["Ground", "Values", "GatheredKitTesting"]),
    .testTarget(name: "GroundTests", dependencies: ["Ground", "Machine", "GatheredKitTesting"]),
    .testTarget(name: "StreamsTests", dependencies: ["Ground", "Streams", "GatheredKitTesting"]),
    .testTarget(
      name: "AsyncStreamsTests",
      dependencies: [
        "Ground", "Values", "AsyncStreams", "Streams", "Patches", "Gathering",
        "GatheredKitTesting",
      ]),
    .testTarget(name: "MachineTests", dependencies: ["Ground", "Machine", "GatheredKitTesting"]),
    .testTarget(name: "MotionTests", dependencies: ["Ground", "Motion"], exclude: ["Vectors"]),
    .testTarget(
      name: "GatheringTests",
      dependencies: [
        "Ground", "Values", "Gathering", "Machine", "Streams", "SourceKinds",
        "GatheredKitTesting",
      ]),
    .testTarget(
      name: "AsyncGatheringTests",
      dependencies: [
        "Ground", "Values", "AsyncGathering", "Gathering", "SourceKinds", "GatheredKitTesting",
      ]),
    .testTarget(
      name: "SourceKindsTests",
      dependencies: [
        "Ground", "Values", "SourceKinds", "Gathering", "Machine", "Motion",
        "GatheredKitTesting",
      ]),
    .testTarget(
      name: "PatchesTests",
      dependencies: [
        "Ground", "Values", "Patches", "SourceKinds", "Gathering", "Machine", "Streams",
        "GatheredKitTesting",
      ]),
    .testTarget(
      name: "DataSourcesTests",
      dependencies: [
        "Ground", "Values", "DataSources", "Streams", "Machine", "GatheredKitTesting",
      ]),
    .testTarget(
      name: "AsyncDataSourcesTests",
      dependencies: [
        "Ground", "AsyncDataSources", "DataSources", "Streams", "Machine", "GatheredKitTesting",
      ]),
    .testTarget(
      name: "RecordingTests",
      dependencies: [
        "Ground", "Values", "GatheredKit", "AsyncDataSources", "Recording", "DataSources",
        "SourceKinds", "Gathering", "Machine", "Streams", "GatheredKitTesting",
      ]),
    .testTarget(
      name: "FleetTests",
      dependencies: [
        "Ground", "Values", "Fleet", "Recording", "SourceKinds", "Gathering", "Machine",
        "GatheredKitTesting",
      ]),
    .testTarget(name: "GatheredKitTests", dependencies: ["GatheredKit"]),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "CommandOptions", "Ground", "Values", "gathered", "Gathering", "Machine",
        "GatheredKitTesting",
      ]),
    .testTarget(
      name: "ServingTests",
      dependencies: [
        "Ground", "Values", "GatheredKit", "Serving", "Gathering", "Machine", "Recording",
        "GatheredKitTesting",
      ]),
    .testTarget(name: "HouseRulesTests", dependencies: ["SourceKinds", "Gathering", "Streams"]),
  ],
  swiftLanguageModes: [.v6]
)

/// C code that would write beyond a buffer or over a return address ends the process instead.
var guardedFlags: [String] {
  ["-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2", "-fstack-protector-strong"]
}

/// How what is installed is linked, and why: Decisions/0006-Linking-the-library.md.
var linkerFlags: [String] {
  [
    "-z", "now", "-z", "relro", "--build-id", "--gc-sections",
    "-z", "pack-relative-relocs", "--wrap=_swift_stdlib_getScalarName",
    "-T", "Sources/GatheredKitLibrary/gatheredkit.ld", "--no-warn-symbol-ordering",
  ]
}

var sharedLibraryFlags: [String] {
  // What the library never asks of Unicode, besides names: Sources/CLinux/unicode.c.
  let unasked = [
    "Age", "BinaryProperties", "CaseMapping", "GeneralCategory", "NameAlias", "NumericValue",
    "Script", "ScriptExtensions", "WordBreakProperty",
  ]
  return staticRuntime(
    linkerFlags + unasked.map { "--wrap=_swift_stdlib_get" + $0 } + [
      "-soname=libgatheredkit.so.0", "--icf=all", "-z", "defs", "-z", "nodelete",
      "--version-script=Sources/GatheredKitLibrary/gatheredkit.map", "--no-undefined-version",
      "--symbol-ordering-file=Sources/GatheredKitLibrary/gatheredkit.order",
    ])
}

/// The command line's parser uses a little of FoundationEssentials, which stands on two more. What
/// a command runs lies together, in the order of a file.
@MainActor
func commandLinking(_ order: String) -> [LinkerSetting] {
  let own = ["--icf=safe", "--no-export-dynamic", "--symbol-ordering-file=Sources/\(order).order"]
  let essentials = ["-l_FoundationCollections", "-l_FoundationCShims"]
  let flags = staticRuntime(linkerFlags + own) + essentials
  return [.unsafeFlags(flags, .when(configuration: .release))]
}

/// Swift's own runtime becomes a part of what is linked: where it is installed there is none.
func staticRuntime(_ linker: [String]) -> [String] {
  ["-static-stdlib", "-no-toolchain-stdlib-rpath", "-use-ld=lld"]
    + linker.flatMap { ["-Xlinker", $0] }
}

/// The command, and the packages that it alone needs, are for those who build it. Users of the
/// library fetch nothing for them: Decisions/0040-The-command-is-asked-for.md.
if Context.environment["GATHEREDKIT_COMMAND"] == nil {
  package.dependencies = []
  package.products.removeAll { $0.name.hasPrefix("gathered-") || $0.name == "gathered" }
  let parts = ["CommandOptions", "Serving", "CPage", "CommandLineTests", "ServingTests"]
  package.targets.removeAll { parts.contains($0.name) || $0.name.hasPrefix("gathered") }
}

/// `.ci/test` builds what the thread sanitizer watches without the other tests.
if let named = Context.environment["GATHEREDKIT_TEST_TARGETS"]?.split(separator: " ") {
  package.targets.removeAll { $0.type == .test && !named.map(String.init).contains($0.name) }
}

for target in package.targets where target.type != .system {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .treatAllWarnings(as: .error),
      .unsafeFlags(target.debugFlags, .when(configuration: .debug)),
      .unsafeFlags(target.releaseFlags, .when(configuration: .release)),
    ]
  // The verbs of a data source stay where they are called: its stores have workers of their own.
  if target.name == "AsyncDataSources" {
    target.swiftSettings? += [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
  }
}

extension Target {
  /// Debug builds are optimized and keep their assertions, so that the tests take half the
  /// time: Decisions/0018-Optimized-debug-builds.md. The tests themselves are not.
  var debugFlags: [String] { type == .test ? [] : ["-O", "-assert-config", "Debug"] }

  /// Exclusive access is checked in debug builds, where the tests run. Nothing but the command
  /// line's parser asks for the names of fields at run time.
  var releaseFlags: [String] {
    let unchecked = ["-enforce-exclusivity=unchecked"]
    let unnamed = ["-Xfrontend", "-disable-reflection-metadata"]
    // What is not used, and what is the same, is then left out function by function, also of what
    // is public: Decisions/0006-Linking-the-library.md.
    let apart = ["-Xfrontend", "-function-sections", "-Xfrontend", "-internalize-at-link"]
    let isHot = ["Ground", "Streams", "Motion", "Patches"].contains(name)
    // Users of streams have their code made for their values: Decisions/0003-Release-builds.md.
    let crossed = name == "Streams" ? ["-cross-module-optimization"] : []
    let readsFields = name.hasPrefix("gathered") || name == "CommandOptions"
    return unchecked + apart + crossed + (readsFields ? [] : unnamed)
      + (isHot ? [] : ["-Osize"])
  }
}
