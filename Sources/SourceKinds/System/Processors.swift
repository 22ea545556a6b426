import Gathering
import Machine
import Values

/// How many processors a machine has, and which.
struct Processors {
  private static let folder = "/sys/devices/system/cpu"
  private let files: any FileTree
  private let table: PolledFile

  init(in files: any FileTree) {
    self.files = files
    table = PolledFile("/proc/cpuinfo", in: files, limit: 1 << 22)
  }

  /// What the architectures call the line with the processor's name, the plainest first: x86 and
  /// ARM, LoongArch, old ARM kernels, MIPS and Alpha, POWER and SPARC, SuperH, C-SKY, m68k and
  /// Nios II, ARM's chips, RISC-V's cores; then RISC-V's instruction set and the Raspberry Pi's
  /// board, where nothing better is said.
  private static let modelKeys = [
    "model name", "Model Name", "Processor", "cpu model", "cpu", "cpu type", "C-SKY CPU model",
    "CPU", "Hardware", "uarch", "isa", "Model",
  ]

  /// The name of the processor.
  func model() -> (outcome: Outcome, raw: RawValue?) {
    do {
      let text = try table.read()
      if text.isEmpty { return (.noData("empty text"), nil) }
      for key in Self.modelKeys {
        guard let value = Self.values(of: key, in: text).first, !value.isEmpty else { continue }
        return (.ok(.string(value.lenientText)), RawValue(value, place: table.path))
      }
      return (.unsupported("\(table.path) names no processor"), nil)
    } catch {
      return (.from(error), nil)
    }
  }

  /// The count of `online`, else of the processors in cpuinfo.
  func logicalCount() -> (outcome: Outcome, raw: RawValue?) {
    let file = PolledFile("\(Self.folder)/online", in: files)
    let listed = Outcome(
      reading: file,
      TextRule { text in
        Self.members(of: text).map { .ok(.int(Int64($0.count))) } ?? .unparsable(text)
      })
    if listed.status != .unsupported { return (listed, file.lastRaw) }
    do {
      let count = Self.values(of: "processor", in: try table.read()).count
      return (count > 0 ? .ok(.int(Int64(count))) : .noData("no processor is listed"), nil)
    } catch {
      return (.from(error), nil)
    }
  }

  /// The sets of processors that share a core; else the distinct cores of cpuinfo.
  func coreCount() -> Outcome {
    let processors =
      (try? PolledFile("\(Self.folder)/online", in: files).read())
      .flatMap { Self.members(of: $0.trimmed) } ?? folders()
    let ways = [["core_cpus_list"], ["thread_siblings_list"], ["physical_package_id", "core_id"]]
    for names in ways {
      let cores = processors.map { core(of: $0, by: names) }
      if !cores.isEmpty && cores.allSatisfy({ $0 != nil }) {
        return .ok(.int(Int64(Set(cores).count)))
      }
    }
    guard let text = try? table.read() else { return .unsupported("nothing tells the cores") }
    let packages = Self.values(of: "physical id", in: text)
    let cores = Self.values(of: "core id", in: text)
    guard !cores.isEmpty, packages.count == cores.count else {
      return .unsupported("nothing tells the cores")
    }
    let pairs = zip(packages, cores).map { "\($0.lenientText) \($1.lenientText)" }
    return .ok(.int(Int64(Set(pairs).count)))
  }

  private func folders() -> [Int] {
    ((try? files.entries(of: Self.folder)) ?? []).compactMap { name in
      name.hasPrefix("cpu") ? Int(name.dropFirst(3)) : nil
    }
  }

  private func core(of processor: Int, by names: [String]) -> String? {
    var words: [String] = []
    for name in names {
      let path = "\(Self.folder)/cpu\(processor)/topology/\(name)"
      guard let text = try? PolledFile(path, in: files).read() else { return nil }
      let word = text.trimmed.lenientText
      if word.isEmpty || word.hasPrefix("-") { return nil }
      words.append(word)
    }
    return words.joined(separator: " ")
  }

  /// The numbers of a list such as `0-3,8`; nil if it is none.
  static func members(of list: ArraySlice<UInt8>) -> [Int]? {
    var numbers: [Int] = []
    for part in list.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let ends = part.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
      guard let first = ends.first?.decimal, let last = ends.last?.decimal, ends.count <= 2,
        first <= last, last < 1 << 20
      else { return nil }
      numbers += (first...last).map(Int.init)
    }
    return numbers
  }

  private static func values(of key: String, in text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    let wanted = Array(key.utf8)
    return Lines(of: text).compactMap { line in
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
        line[..<colon].trimmed.elementsEqual(wanted)
      else { return nil }
      return line[(colon + 1)...].trimmed
    }
  }
}
