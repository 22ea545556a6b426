import Testing

/// Numbers and facts that the pages of Decisions/ state.
struct DecisionTests {
  private static let folder = "Sources/GatheredKit/GatheredKit.docc/Decisions/"

  private static let pages = Checkout.files.filter { $0.path.hasPrefix(folder) }

  /// A number or fact of a page, and the line of the sources that makes it so. Where one of them
  /// changes, the other is to be read again.
  struct Promise: Sendable, CustomTestStringConvertible {
    let page: String
    let says: String
    let file: String
    let code: String

    var testDescription: String { "\(page): \(says)" }
  }

  static let promises = [
    Promise(
      page: "0003", says: "All but Ground, Streams, Motion and Patches is compiled for size",
      file: "Package.swift", code: #"["Ground", "Streams", "Motion", "Patches"].contains(name)"#),
    Promise(
      page: "0003", says: "do not check exclusive access", file: "Package.swift",
      code: "-enforce-exclusivity=unchecked"),
    Promise(
      page: "0003", says: "carries no reflection metadata", file: "Package.swift",
      code: "-disable-reflection-metadata"),
    Promise(
      page: "0004", says: "without it such a URI is refused",
      file: "Sources/Gathering/Contexts/Context+Opening.swift",
      code: "guard let recordings else { throw .notImplemented("),
    Promise(
      page: "0005", says: "the last 4096 rows of a stream",
      file: "Sources/Gathering/Readers/ReaderBacklog.swift", code: "rowLimit = 4096"),
    Promise(
      page: "0006", says: "11.5 MB (11 500 000 bytes, stripped)", file: ".ci/library",
      code: "limit=11500000"),
    Promise(
      page: "0006", says: "most 12 MiB of its host are resident after every kind was read",
      file: ".ci/library", code: "small_resident $((12 * 1024))"),
    Promise(
      page: "0006", says: "of 18 MiB (18 874 368 bytes) allowed", file: ".ci/test",
      code: ".ci/command .build/release/gathered 18"),
    Promise(
      page: "0006", says: "(`--disable-local-rpath`)", file: "Makefile",
      code: "swift build -c release --disable-local-rpath --product gathered "),
    Promise(
      page: "0006", says: "loads within 2 ms", file: "Tests/Benchmarks/Contexts/load.c",
      code: #""<= 2 ms""#),
    Promise(
      page: "0040", says: "Only where `GATHEREDKIT_COMMAND` is set", file: "Package.swift",
      code: #"if Context.environment["GATHEREDKIT_COMMAND"] == nil {"#),
    Promise(
      page: "0041", says: "took less than 2 ms the last time",
      file: "Sources/Recording/Exporters/Metrics/RepeatedWork.swift",
      code: "private static let quick: Int64 = 2_000_000"),
    Promise(
      page: "0047", says: "at most 32 000 bytes with all that is around it",
      file: "Sources/gathered/Assistants/ToolAnswer.swift", code: "static let limit = 32_000"),
    Promise(
      page: "0047", says: "A message has at most 1 MiB",
      file: "Sources/gathered/Assistants/MessageLines.swift", code: "static let limit = 1 << 20"),
    Promise(
      page: "0047", says: "Texts end at 1000 bytes",
      file: "Sources/gathered/Assistants/DeviceText.swift", code: "static let limit = 1000"),
    Promise(
      page: "0047", says: "8 calls run at a time and 64 wait",
      file: "Sources/gathered/Assistants/CallQueue.swift",
      code: "static let runningLimit = 8 static let waitingLimit = 64"),
    Promise(
      page: "0047", says: "two seconds to end",
      file: "Sources/gathered/Assistants/AssistantSession.swift",
      code: "static let patience: Int64 = 2_000_000_000"),
    Promise(
      page: "0048", says: "at most 32 messages or 1 MiB wait",
      file: "Sources/Machine/Broker/BrokerLink.swift",
      code: "static let messageLimit = 32 static let byteLimit = 1 << 20"),
    Promise(
      page: "0048", says: "to send none beyond 4 MiB",
      file: "Sources/Machine/Broker/BrokerClient.swift", code: "static let packetLimit = 4 << 20"),
    Promise(
      page: "0048", says: "announces a packet beyond 16 MiB is left",
      file: "Sources/Machine/Broker/BrokerGuard.swift",
      code: "static let limit = 4 * BrokerClient.packetLimit"),
    Promise(
      page: "0048", says: "A call reads 64 KiB at the most",
      file: "Sources/Machine/Broker/BrokerGate.swift", code: "static let size = 65_536"),
    Promise(
      page: "0006", says: "`-internalize-at-link` lets the linker", file: "Package.swift",
      code: #""-Xfrontend", "-internalize-at-link"]"#),
    Promise(
      page: "0009", says: "The groups mlme, config, scan and regulatory",
      file: "Sources/Machine/Radio/RadioNotices.swift",
      code: #"["mlme", "config", "scan", "regulatory"]"#),
    Promise(
      page: "0012", says: "length of the body, at most 16 MiB",
      file: "Sources/Recording/Formats/Format.swift", code: "bodyLimit = 16 << 20"),
    Promise(
      page: "0012", says: "JSON objects of at most 1 MiB",
      file: "Sources/Recording/Formats/Format.swift", code: "textLimit = 1 << 20"),
    Promise(
      page: "0012", says: "number of rows, 1 to 65 536",
      file: "Sources/Recording/Formats/Format.swift", code: "rowLimit = 65_536"),
    Promise(
      page: "0012", says: "at most 2^23 numbers together",
      file: "Sources/Recording/Formats/Format.swift", code: "numberLimit = 1 << 23"),
    Promise(
      page: "0012", says: "at most 4096 rows each",
      file: "Sources/Recording/RecorderOptions.swift", code: "blockRows = 4096"),
    Promise(
      page: "0012", says: "Rows wait a second at most",
      file: "Sources/Recording/RecorderOptions.swift",
      code: "blockInterval: Int64 = 1_000_000_000"),
    Promise(
      page: "0012", says: "a second at most after that",
      file: "Sources/Recording/RecorderOptions.swift", code: "syncInterval: Int64 = 1_000_000_000"),
    Promise(
      page: "0012", says: "(16 MiB unless asked otherwise)",
      file: "Sources/Recording/RecorderOptions.swift", code: "memoryLimit = 16 << 20"),
    Promise(
      page: "0012", says: "then every five seconds",
      file: "Sources/Recording/WriteAttempts.swift", code: "* 2, 5_000_000_000)"),
    Promise(
      page: "0012", says: "end alone is torn cuts that off in place",
      file: "Sources/Recording/RecordingRepair.swift", code: "try file.truncate(to: survey.end)"),
    Promise(
      page: "0012", says: "takes the place of the recording once it is whole on the device",
      file: "Sources/Recording/RecordingRepair.swift",
      code: "try survey.write(to: copy, from: file) do throws(SystemError) { "
        + "try storage.move(copy.path, to: path)"),
    Promise(
      page: "0014", says: "stops it within 64 rows",
      file: "Sources/Recording/Querying/RefinedRows.swift", code: "count % 64 == 1"),
    Promise(
      page: "0014", says: "While 4096 rows are without an answer",
      file: "Sources/Recording/DataSourceSink.swift", code: "limit = 4096"),
    Promise(
      page: "0015", says: "more than 32 MiB",
      file: "Sources/Recording/Exporters/TableCursor.swift", code: "batchBytes = 32 << 20"),
    Promise(
      page: "0016", says: "Connecting has 10 s",
      file: "Sources/Machine/IIO/RemoteSnapshot.swift",
      code: "connectionLimit: Int64 = 10_000_000_000"),
    Promise(
      page: "0016", says: "and 8 MiB", file: "Sources/Machine/IIO/Libiio.swift",
      code: "descriptionLimit = 8 << 20"),
    Promise(
      page: "0016", says: "an attribute a second", file: "Sources/Machine/IIO/RemoteLink.swift",
      code: "answerTime: Int64 = 1_000_000_000"),
    Promise(
      page: "0016", says: "and 64 KiB", file: "Sources/Machine/IIO/RemoteSnapshot.swift",
      code: "answerLimit = 1 << 16"),
    Promise(
      page: "0016", says: "left alone for 2 s", file: "Sources/Machine/IIO/RemoteLink.swift",
      code: "firstRest: Int64 = 2_000_000_000"),
    Promise(
      page: "0016", says: "for 4, 8 … 30 s", file: "Sources/Machine/IIO/RemoteLink.swift",
      code: "longestRest: Int64 = 30_000_000_000"),
    Promise(
      page: "0016", says: "No more than 256 devices",
      file: "Sources/Machine/IIO/RemoteSnapshot.swift", code: "deviceLimit = 256"),
    Promise(
      page: "0016", says: "its own time-out of 2 s for each part",
      file: "Sources/Machine/IIO/RemoteSnapshot.swift", code: "timeout: 2000,"),
    Promise(
      page: "0016", says: "for longer than 2 s", file: "Sources/Machine/IIO/RemoteLink.swift",
      code: "firstPatience: Int64 = 2_000_000_000"),
  ]

  @Test(arguments: promises) func `what a page promises is what the sources do`(_ it: Promise) {
    let page = Self.pages.first { $0.name.hasPrefix(it.page) }?.text ?? ""
    #expect(Self.oneLine(page).contains(it.says))
    #expect(Self.oneLine(Checkout.text(it.file)).contains(it.code))
  }

  @Test func `sizes the pages on installing promise are those of the decisions`() throws {
    let size = try #require(Checkout.text(".ci/library").firstMatch(of: #/at most ([\d.]+ MB)/#)).1
    for page in ["README.md", DocumentTests.folder + "install.md"] {
      #expect(Self.oneLine(Checkout.text(page)).contains("to load, and at most \(size)"), "\(page)")
    }
    #expect(Checkout.text(Self.folder + "0006-Linking-the-library.md").contains(size))
  }

  /// A text with its line breaks and indentation as single spaces.
  private static func oneLine(_ text: String) -> String {
    text.split { $0.isWhitespace }.joined(separator: " ")
  }
}
