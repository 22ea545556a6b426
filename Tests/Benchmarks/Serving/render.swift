import Gathering
import Glibc
import Ground
import Machine
import Recording
import Values

/// Sources of numbers and nothing else: half of them whole, half with three decimals, as those of
/// a computer are.
private struct Gauges: SourceKind {
  let kind = "bench"
  let name = "Bench"
  let instances: Int
  let properties: [Property]
  let intervals = Intervals(seconds: 1, minimum: 0.1)

  init(instances: Int, properties: Int) {
    self.instances = instances
    self.properties = (0..<properties).map { place in
      place % 2 == 0
        ? Property("memory_of_part_\(place)", .int, unit: "By", .continuous)
        : Property("temperature_of_part_\(place)", .double, unit: "Cel", .continuous)
    }
  }

  func discover(on machine: Machine) -> Discovery {
    let there = Availability(.available, backend: "benchmark")
    return Discovery(
      (0..<instances).map { Instance("part\($0)", availability: there) },
      orElse: Availability(.noHardware))
  }

  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? { GaugeReader() }
}

private final class GaugeReader: InstanceReader {
  func read(_ request: ReadRequest, into reading: inout Reading) {
    for index in reading.indices {
      reading[index] =
        index % 2 == 0
        ? .ok(.int(Int64(index + 1) * 52_428_803)) : .ok(.double(20 + Double(index) / 1000))
    }
  }
  func raw(ofPropertyAt index: Int) -> RawValue? { nil }
}

/// A page filled with values once, as it is written again and again.
private final class Rendering {
  private let scrape: MetricScraper.Scrape
  private var page = MetricPage()
  private(set) var text: [UInt8] = []

  init(_ kind: Gauges) throws {
    let loop = VirtualLoop(clock: VirtualTime())
    let machine = try Machine.captured(root: "/usr/share", clock: loop.clock)
    let context = try Context.open(on: machine, loop: loop, catalogue: [kind])
    scrape = try MetricScraper(context).scrape()
    try context.close()
    fill()
  }

  func render() { text = page.text(as: .openMetrics) }

  func fill() {
    page.clear()
    page.add(scrape)
    render()
  }
}

private let render: @convention(c) (UnsafeMutableRawPointer?) -> Void = { data in
  guard let data else { return }
  Unmanaged<Rendering>.fromOpaque(data)._withUnsafeGuaranteedRef { $0.render() }
}

private let fill: @convention(c) (UnsafeMutableRawPointer?) -> Void = { data in
  guard let data else { return }
  Unmanaged<Rendering>.fromOpaque(data)._withUnsafeGuaranteedRef { $0.fill() }
}

@main
enum Main {
  /// Prints rows, and leaves each page for other peers in a folder, which is the argument.
  static func main() throws {
    for (instances, names) in [(10, 50), (1, 500)] {
      let rendering = try Rendering(Gauges(instances: instances, properties: names))
      let text = rendering.text
      let path = "\(CommandLine.arguments[1])/\(names)"
      text.withUnsafeBytes { bytes in
        leave(bytes, at: path)
        let peer = page_of(bytes.baseAddress, bytes.count)
        check(peer, against: bytes)
        measureAll(rendering, peer, "render 500 gauges of \(names) names")
      }
    }
  }

  private static func leave(_ text: UnsafeRawBufferPointer, at path: String) {
    let file = fopen(path, "w")
    let isWritten = file != nil && fwrite(text.baseAddress, 1, text.count, file) == text.count
    if !isWritten || fclose(file) != 0 { give_up(path, "cannot be written") }
  }

  private static func check(_ peer: OpaquePointer?, against text: UnsafeRawBufferPointer) {
    write_page(UnsafeMutableRawPointer(peer))
    var length = 0
    let written = written_text(peer, &length)
    let theirs = UnsafeRawBufferPointer(start: written, count: length)
    if !theirs.elementsEqual(text) { give_up("rendering in C", "it is another text") }
  }

  private static func measureAll(_ rendering: Rendering, _ peer: OpaquePointer?, _ name: String) {
    let own = Unmanaged.passUnretained(rendering).toOpaque()
    let works = [
      work(run: render, data: own), work(run: fill, data: own),
      work(run: write_page, data: UnsafeMutableRawPointer(peer)),
    ]
    var spent = [Double](repeating: 0, count: works.count)
    measure(works, works.count, &spent)
    let figures = spent.map { $0 / 1000 }
    row(name, figures[0], "us", "C by hand", figures[2], "<= 80 us")
    row("  with filling the page", figures[1], "us", "C by hand", figures[2], "")
  }
}
