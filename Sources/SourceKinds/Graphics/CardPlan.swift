import Gathering
import Machine
import Values

/// The files that tell of a card, by its driver.
struct CardPlan {
  typealias Field = Graphics.Field

  /// A property that is one file, or the greatest number of several.
  struct Column {
    let field: Field
    let paths: [String]
    let rule: TextRule
    var isStatic: Bool { Graphics.table[field].mode == .static }
  }

  private(set) var columns: [Column] = []
  /// The counter in µJ.
  private(set) var energy: String?
  /// Files of 0 or 1 that say why the card is slowed down, with the words for it.
  private(set) var throttle: [(path: String, word: String)] = []
  /// Counters of milliseconds asleep, and the switches that say whether anything is counted.
  private(set) var idle: [(counter: String, enabling: String?)] = []
  /// The table of queues of v3d.
  private(set) var queues: String?

  private let card: GraphicsCard
  private let files: any FileTree
  /// The folder of its sensors, and the channels by the labels of the driver.
  private var chip: String?
  private var labels: [(label: String, channel: String)] = []

  init(of card: GraphicsCard, in files: any FileTree) {
    self.card = card
    self.files = files
    chip = GraphicsCard.chip(of: card.device, driver: card.driver, in: files)
    if let chip { labels = Self.labels(in: chip, files) }
    switch card.way {
    case .amdgpu: addAmdgpu()
    case .i915: addI915()
    case .xe: addXe()
    case .v3d: queues = "\(card.device)/gpu_stats"
    case .tegra: add(.utilization, "\(card.device)/load", .perMille)
    case .nvidia, .other: break
    }
    if card.address == nil { addDevfreq() }
  }

  private static func labels(
    in chip: String, _ files: any FileTree
  ) -> [(label: String, channel: String)] {
    let names = ((try? files.entries(of: chip)) ?? []).filter { $0.hasSuffix("_label") }
      .sorted(by: NaturalOrder.areInIncreasingOrder)
    let folder = AttributeFolder(chip, names, in: files)
    return names.indices.compactMap { place in
      folder.read(place, .text).text.map { ($0, String(names[place].dropLast("_label".count))) }
    }
  }

  // MARK: What a plan is made of

  private mutating func add(_ field: Field, _ path: String, _ rule: TextRule) {
    columns.append(Column(field: field, paths: [path], rule: rule))
  }

  /// The first of some attributes that the chip has, or the first of all.
  private mutating func addOfChip(_ field: Field, _ names: String..., rule: TextRule) {
    guard let chip, let first = names.first else { return }
    let name = names.first { files.mayHave($0, in: chip) } ?? first
    add(field, "\(chip)/\(name)", rule)
  }

  /// The attribute of the channel that has a label.
  private mutating func add(
    _ field: Field, labelled label: String, _ type: String, _ rule: TextRule
  ) {
    guard let chip,
      let channel = labels.first(where: { $0.label == label && $0.channel.hasPrefix(type) })
    else { return }
    add(field, "\(chip)/\(channel.channel)_input", rule)
  }

  /// The same file of several folders.
  private mutating func add(
    _ field: Field, _ name: String, in folders: [String], _ rule: TextRule
  ) {
    let paths = folders.filter { files.mayHave(name, in: $0) }.map { "\($0)/\(name)" }
    if paths.isEmpty { return }
    columns.append(Column(field: field, paths: paths, rule: rule))
  }

  /// Folders of a name and a number, in its order: `gt0`, `gt1`.
  private func folders(_ name: String, in folder: String) -> [String] {
    ((try? files.entries(of: folder)) ?? []).filter { entry in
      entry.hasPrefix(name) && entry.count > name.count
        && entry.dropFirst(name.count).allSatisfy(\.isDecimalDigit)
    }.sorted(by: NaturalOrder.areInIncreasingOrder).map { "\(folder)/\($0)" }
  }

  // MARK: Drivers

  private mutating func addAmdgpu() {
    let device = card.device
    add(.utilization, "\(device)/gpu_busy_percent", .percent)
    add(.memoryUtilization, "\(device)/mem_busy_percent", .percent)
    add(.videoUtilization, "\(device)/vcn_busy_percent", .percent)
    add(.memoryTotal, "\(device)/mem_info_vram_total", .count)
    add(.memoryUsed, "\(device)/mem_info_vram_used", .count)
    add(.sharedTotal, "\(device)/mem_info_gtt_total", .count)
    add(.sharedUsed, "\(device)/mem_info_gtt_used", .count)
    add(.model, "\(device)/product_name", .name)
    add(.uuid, "\(device)/unique_id", .text)
    add(.temperature, labelled: "edge", "temp", .milliCelsius)
    add(.temperatureHotspot, labelled: "junction", "temp", .milliCelsius)
    add(.temperatureMemory, labelled: "mem", "temp", .milliCelsius)
    addOfChip(.power, "power1_average", "power1_input", rule: .micro)
    addOfChip(.powerLimit, "power1_cap", rule: .microLimit)
    add(.frequency, labelled: "sclk", "freq", .scaled())
    add(.memoryFrequency, labelled: "mclk", "freq", .scaled())
    addFan()
  }

  private mutating func addFan() {
    addOfChip(.fanSpeed, "fan1_input", rule: .rotation)
    addOfChip(.fanDuty, "pwm1", rule: .duty)
  }

  private mutating func addI915() {
    let path = "\(GraphicsCard.folder)/\(card.kernelName)"
    let units = folders("gt", in: "\(path)/gt")
    add(.frequency, "rps_act_freq_mhz", in: units, .megahertz)
    add(.frequencyMaximum, "rps_RP0_freq_mhz", in: units, .megahertz)
    for unit in units { addThrottle("throttle_reason_", in: unit) }
    // Kernels without folders of units have the counter with the power of the card.
    for unit in units.isEmpty ? ["\(path)/power"] : units {
      addIdle("\(unit)/rc6_residency_ms", enabling: "\(unit)/rc6_enable")
    }
    if let chip { energy = "\(chip)/energy1_input" }
    addOfChip(.powerLimit, "power1_max", rule: .microLimit)
  }

  private mutating func addXe() {
    let units = folders("tile", in: card.device).flatMap { folders("gt", in: $0) }
    let clocks = units.map { "\($0)/freq0" }
    add(.frequency, "act_freq", in: clocks, .megahertz)
    add(.frequencyMaximum, "rp0_freq", in: clocks, .megahertz)
    for clock in clocks { addThrottle("reason_", in: "\(clock)/throttle") }
    for unit in units { addIdle("\(unit)/gtidle/idle_residency_ms", enabling: nil) }
    add(.temperature, labelled: "pkg", "temp", .milliCelsius)
    add(.temperatureMemory, labelled: "vram", "temp", .milliCelsius)
    if let chip {
      let counters = ["energy1_input", "energy2_input"]
      let counter = counters.first { files.mayHave($0, in: chip) } ?? counters[0]
      energy = "\(chip)/\(counter)"
    }
    addOfChip(.powerLimit, "power1_max", rule: .microLimit)
    addFan()
  }

  private mutating func addIdle(_ counter: String, enabling: String?) {
    let parts = counter.split(separator: "/")
    let folder = "/" + parts.dropLast().joined(separator: "/")
    if files.mayHave(String(parts.last ?? ""), in: folder) { idle.append((counter, enabling)) }
  }

  private mutating func addThrottle(_ start: String, in folder: String) {
    let names = ((try? files.entries(of: folder)) ?? []).filter { $0.hasPrefix(start) }.sorted()
    for name in names {
      let reason = name.dropFirst(start.count)
      // It says whether there is any reason.
      if reason == "status" { continue }
      throttle.append(("\(folder)/\(name)", ThrottleWords.word(ofIntel: reason)))
    }
  }

  private mutating func addDevfreq() {
    let folder = "\(card.device)/devfreq"
    let names = ((try? files.entries(of: folder)) ?? []).sorted()
    guard let name = names.first else { return }
    add(.frequency, "\(folder)/\(name)/cur_freq", .scaled())
    add(.frequencyMaximum, "\(folder)/\(name)/available_frequencies", .lastFrequency)
  }
}

extension TextRule {
  /// Hundredths of the whole, which a driver may count beyond it.
  fileprivate static let percent = share(of: 100)
  fileprivate static let perMille = share(of: 1000)

  private static func share(of whole: Double) -> TextRule {
    scaled(over: whole).map { value in
      guard let share = value.number else { return .ok(value) }
      return share < 0 ? .noData("reported as \(share)") : .ok(.double(min(share, 1)))
    }
  }

  /// Millions of hertz; 0 is a unit that rests.
  fileprivate static let megahertz = scaled(times: 1e6)

  /// The last of a list, the greatest.
  fileprivate static let lastFrequency = TextRule { text in
    var last: ArraySlice<UInt8>?
    for word in Words(of: text) { last = word }
    guard let last, let hertz = try? NumberText.signed(last.span), hertz >= 0 else {
      return .unparsable(text)
    }
    return .ok(.double(Double(hertz)))
  }
}
