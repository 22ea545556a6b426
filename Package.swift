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
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    // Floor 0: C.
    .systemLibrary(name: "CGatheredKit", path: "include"),
    .target(name: "CLinux"),

    // Floor 1: the ground.
    .target(name: "Streams"),
    .target(name: "AsyncStreams", dependencies: ["Streams"]),
    .target(name: "Machine", dependencies: ["CLinux"]),
    .target(name: "Motion"),

    // Floor 2: the contract.
    .target(name: "Gathering", dependencies: ["Streams", "Machine", "Motion"]),

    // Floor 3: the content.
    .target(name: "SourceKinds", dependencies: ["Gathering", "Machine", "Motion"]),
    .target(name: "Patches", dependencies: ["Gathering", "Streams", "Motion"]),
    .target(name: "DataSources", dependencies: ["Streams", "Machine"]),
    .target(name: "AsyncDataSources", dependencies: ["DataSources", "Streams", "Machine"]),

    // Floor 4: what keeps.
    .target(
      name: "Recording",
      dependencies: ["CLinux", "Machine", "Streams", "Gathering", "DataSources"]),

    // Floor 5: the umbrella for Swift users.
    .target(
      name: "GatheredKit",
      dependencies: [
        "AsyncStreams", "Streams", "Machine", "Gathering", "SourceKinds", "Patches", "DataSources",
        "AsyncDataSources", "Recording",
      ]),

    // Floor 6: the C door.
    .target(
      name: "GatheredKitC",
      dependencies: [
        "CGatheredKit", "CLinux", "DataSources", "Gathering", "Machine", "Patches", "Recording",
        "SourceKinds", "Streams",
      ]),

    // Floor 7: what is shipped.
    .target(
      name: "GatheredKitLibrary", dependencies: ["GatheredKitC"],
      exclude: ["gatheredkit.map", "gatheredkit.ld"],
      linkerSettings: [.unsafeFlags(sharedLibraryFlags, .when(configuration: .release))]),
    .executableTarget(
      name: "gathered",
      dependencies: [
        "GatheredKit", "Gathering", "Machine", "Patches", "Recording", "SourceKinds", "Streams",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),

    // Beside the floors: what tests of this package and of its users stand on.
    .target(
      name: "GatheredKitTesting",
      dependencies: ["Streams", "Machine", "Gathering", "DataSources", "AsyncDataSources"]),

    .testTarget(name: "StreamsTests", dependencies: ["Streams", "GatheredKitTesting"]),
    .testTarget(
      name: "AsyncStreamsTests",
      dependencies: ["AsyncStreams", "Streams", "Patches", "Gathering", "GatheredKitTesting"]),
    .testTarget(name: "MachineTests", dependencies: ["Machine", "GatheredKitTesting"]),
    .testTarget(name: "MotionTests", dependencies: ["Motion"], exclude: ["Vectors"]),
    .testTarget(
      name: "GatheringTests",
      dependencies: ["Gathering", "Machine", "Streams", "SourceKinds", "GatheredKitTesting"]),
    .testTarget(
      name: "SourceKindsTests",
      dependencies: ["SourceKinds", "Gathering", "Machine", "Motion", "GatheredKitTesting"]),
    .testTarget(
      name: "PatchesTests",
      dependencies: [
        "Patches", "SourceKinds", "Gathering", "Machine", "Streams", "GatheredKitTesting",
      ]),
    .testTarget(
      name: "DataSourcesTests",
      dependencies: ["DataSources", "Streams", "Machine", "GatheredKitTesting"]),
    .testTarget(
      name: "AsyncDataSourcesTests",
      dependencies: [
        "AsyncDataSources", "DataSources", "Streams", "Machine", "GatheredKitTesting",
      ]),
    .testTarget(
      name: "RecordingTests",
      dependencies: [
        "GatheredKit", "AsyncDataSources", "Recording", "DataSources", "SourceKinds", "Gathering",
        "Machine", "Streams", "GatheredKitTesting",
      ]),
    .testTarget(name: "CommandLineTests", dependencies: ["gathered", "Gathering"]),
    .testTarget(name: "HouseRulesTests", dependencies: ["SourceKinds", "Gathering"]),
  ],
  swiftLanguageModes: [.v6]
)

/// How the shared library is linked, and why: Decisions/0006-Linking-the-library.md.
var sharedLibraryFlags: [String] {
  let linker = [
    "-soname=libgatheredkit.so.0",
    "--version-script=Sources/GatheredKitLibrary/gatheredkit.map",
    "-T", "Sources/GatheredKitLibrary/gatheredkit.ld",
    "--no-undefined-version", "-z", "defs", "-z", "nodelete", "-z", "now", "-z", "relro",
    "--build-id", "--gc-sections", "--icf=safe", "-z", "pack-relative-relocs",
    "--wrap=_swift_stdlib_getScalarName",
  ]
  return ["-static-stdlib", "-no-toolchain-stdlib-rpath", "-use-ld=lld"]
    + linker.flatMap { ["-Xlinker", $0] }
}

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
    .unsafeFlags(target.releaseFlags, .when(configuration: .release)),
  ]
  // The verbs of a data source stay where they are called: its stores have workers of their own.
  if target.name == "AsyncDataSources" {
    target.swiftSettings? += [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
  }
}

extension Target {
  /// Exclusive access is checked in debug builds, where the tests run. Nothing but the command
  /// line's parser asks for the names of fields at run time.
  var releaseFlags: [String] {
    let unchecked = ["-enforce-exclusivity=unchecked"]
    let unnamed = ["-Xfrontend", "-disable-reflection-metadata"]
    let isHot = ["Streams", "Motion"].contains(name)
    // Whoever uses streams has their code made for his values: Decisions/0003-Release-builds.md.
    let crossed = name == "Streams" ? ["-cross-module-optimization"] : []
    return unchecked + crossed + (name == "gathered" ? [] : unnamed) + (isHot ? [] : ["-Osize"])
  }
}
