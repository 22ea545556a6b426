import GatheredKitTesting
import Gathering
import Ground
import Testing
import Values

@testable import SourceKinds

/// The kind `gps` on a real gpsd, which gpsfake feeds with logs.
@Suite(.serialized, .enabled(if: Gpsfake.isInstalled, "gpsd or gpsfake is not installed"))
struct GpsdTests {
  private func open(_ fake: Gpsfake) throws -> (Context, Source, Words) {
    let context = try Context.open(
      "local:gpsd=127.0.0.1:\(fake.port)", allow: Allowance(categories: [.location]),
      catalogue: [GPS()])
    let source = try context.open("gps")
    return (context, source, Words(source))
  }

  /// Waits until a source tells what is wanted.
  private func await(_ source: Source, _ isSo: ([String: Sample]) -> Bool) -> [String: Sample] {
    var values: [String: Sample] = [:]
    Patience.wait {
      let keys = source.properties.map(\.key)
      values = Dictionary(uniqueKeysWithValues: zip(keys, source.allValues))
      return isSo(values)
    }
    return values
  }

  /// Whether there is a fix in space and its position: gpsd, listening from the middle of a second
  /// on, tells first of the one without the other.
  private func hasPlace(_ values: [String: Sample]) -> Bool {
    values["fix"]?.payload == .string("3d") && values["latitude"]?.status == .ok
  }

  @Test func `a receiver at rest tells where it is`() throws {
    let fake = try Gpsfake([.still])
    try fake.start()
    let (context, source, _) = try open(fake)
    #expect(source.availability.state == .available)
    try source.startUpdating(every: 1_000_000_000)
    let values = self.await(source) {
      hasPlace($0) && $0["pdop"]?.status == .ok && $0["course"]?.status == .ok
        && $0["horizontal_accuracy"]?.status == .ok && $0["altitude_msl"]?.status == .ok
    }
    #expect(abs((values["latitude"]?.value.number ?? 0) - 48.1173) < 1e-6)
    #expect(abs((values["longitude"]?.value.number ?? 0) - 11.516667) < 1e-6)
    #expect(values["altitude_msl"]?.value == .double(545.4))
    #expect(abs((values["altitude_ellipsoid"]?.value.number ?? 0) - 592.3) < 1e-6)
    #expect(values["course"]?.value == .double(84.4))
    #expect(abs((values["speed"]?.value.number ?? 0) - 10 * 1852 / 3600) < 1e-3)
    #expect(values["hdop"]?.value == .double(0.9))
    #expect(values["satellites_visible"]?.value == .int(4))
    #expect(values["provider"]?.value == .string("gpsd"))
    #expect(values["latitude"]?.clockOrigin == .library)
    let ids = try context.sources(of: "gps").map(\.id.description)
    #expect(ids.count == 2 && ids[0] == "gps|aggregate")
    #expect(try context.open(ids[1]).availability.state == .available)
    try context.close()
  }

  @Test func `without a fix it searches, and has no position`() throws {
    let fake = try Gpsfake([.nowhere])
    try fake.start()
    let (context, source, _) = try open(fake)
    try source.startUpdating(every: 500_000_000)
    let values = self.await(source) { $0["fix"]?.status == .ok }
    #expect(values["fix"]?.value == .string("none"))
    #expect(values["latitude"]?.status == .noData)
    #expect(values["latitude"]?.absence?.reason == "no fix")
    #expect(source.availability.state == .searching)
    try context.close()
  }

  @Test func `a receiver that moves never flickers to a fix on a level`() throws {
    var log = SatelliteLog()
    for second in 0..<50 {
      log.addFix(second: second, north: 4807.0 + Double(second) / 100, knots: Double(second))
    }
    let fake = try Gpsfake([log], cycle: 0.005)
    try fake.start()
    let (context, source, _) = try open(fake)
    let seen = Monitor<[(fix: String, latitude: Double)]>([])
    let keys = source.properties.map(\.key)
    let token = source.addUpdateListener { update in
      let values = Dictionary(uniqueKeysWithValues: zip(keys, update.samples))
      guard let fix = values["fix"]?.payload?.text, let place = values["latitude"]?.payload?.number
      else { return }
      seen.withLock { $0.append((fix, place)) }
      seen.signalAll()
    }
    try source.startUpdating(every: 3600_000_000_000)
    let all = seen.wait(until: Patience.end) { seen in
      Set(seen.map(\.latitude)).count >= 8 ? seen : nil
    }
    let found = try #require(all)
    #expect(found.allSatisfy { $0.fix == "3d" })
    token.end()
    try context.close()
  }

  @Test func `several receivers are told apart, and the best speaks for all`() throws {
    var flat = SatelliteLog()
    for second in 0..<20 {
      let time = "1200\(second < 10 ? "0" : "")\(second).00"
      flat.add("GPRMC,\(time),A,1000.0000,N,02000.0000,E,001.0,180.0,210626,,,A")
      flat.add("GPGSA,A,2,04,05,09,,,,,,,,,,4.8,3.9,2.5")
    }
    let fake = try Gpsfake([flat, .still])
    try fake.start()
    let (context, source, _) = try open(fake)
    try source.startUpdating(every: 200_000_000)
    let values = self.await(source) { hasPlace($0) }
    #expect(abs((values["latitude"]?.value.number ?? 0) - 48.1173) < 1e-6)
    let ids = try context.sources(of: "gps").map(\.id.description)
    #expect(ids.count == 3)
    var places: [Double] = []
    for id in ids.dropFirst() {
      let one = try context.open(id)
      try one.startUpdating(every: 200_000_000)
      let values = self.await(one) { $0["latitude"]?.status == .ok }
      places.append((values["latitude"]?.value.number ?? 0).rounded())
    }
    #expect(places.sorted() == [10, 48])
    try context.close()
  }

  @Test func `cut lines cost themselves only`() throws {
    var log = SatelliteLog()
    var cut = SatelliteLog.still.lines
    for index in stride(from: 3, to: cut.count, by: 7) {
      cut[index] = String(cut[index].dropLast(20))
    }
    for line in cut { log.addRaw(line) }
    let fake = try Gpsfake([log])
    try fake.start()
    let (context, source, _) = try open(fake)
    try source.startUpdating(every: 200_000_000)
    let values = self.await(source) { hasPlace($0) }
    #expect(abs((values["latitude"]?.value.number ?? 0) - 48.1173) < 1e-6)
    try context.close()
  }

  @Test func `a date of another era is told as it is, and stamps nothing (V13)`() throws {
    var log = SatelliteLog()
    for second in 0..<30 { log.addFix(second: second, date: "050603") }
    let fake = try Gpsfake([log])
    try fake.start()
    let (context, source, _) = try open(fake)
    try source.startUpdating(every: 200_000_000)
    let values = self.await(source) { $0["time"]?.status == .ok && $0["fix"]?.status == .ok }
    let time = try #require(values["time"])
    #expect(time.status == .ok)
    #expect(abs(time.time - context.now.boot) < 30_000_000_000)
    #expect(abs(time.realtime - context.now.realtime) < 30_000_000_000)
    try context.close()
  }

  @Test func `gpsd killed and started again while updating is waited for (L10)`() throws {
    let fake = try Gpsfake([.still])
    try fake.start()
    let (context, source, words) = try open(fake)
    try source.startUpdating(every: 200_000_000)
    _ = self.await(source) { hasPlace($0) }
    fake.stop()
    #expect(Patience.wait { source.availability.state == .serviceNotRunning })
    let lost = self.await(source) { $0["fix"]?.status == .noData }
    #expect(lost["fix"]?.status == .noData)
    #expect(lost["latitude"]?.status == .noData)
    #expect(source.isUpdating)
    try fake.start()
    let back = self.await(source) { hasPlace($0) }
    #expect(hasPlace(back))
    #expect(Patience.wait { source.availability.state == .available })
    let told = words.take()
    #expect(told.filter { $0 == "started" }.count == 1)
    #expect(!told.contains("stopped"))
    try context.close()
  }

  @Test func `L8 an idle source is read in one go`() throws {
    let fake = try Gpsfake([.still], cycle: 0.002)
    try fake.start()
    let (context, source, _) = try open(fake)
    try source.updateValuesInPlace(within: 10_000_000_000)
    let keys = source.properties.map(\.key)
    let values = Dictionary(uniqueKeysWithValues: zip(keys, source.allValues))
    #expect(values["fix"]?.status == .ok)
    #expect(!source.isUpdating)
    try context.close()
  }
}

/// Servers that are no gpsd, or no good one.
@Suite struct HostileServerTests {
  private func open(_ server: LoopbackServer) throws -> (Context, Source) {
    let context = try Context.open(
      "local:gpsd=127.0.0.1:\(server.port)", allow: .all, catalogue: [GPS()])
    return (context, try context.open("gps"))
  }

  private func refusal(_ server: LoopbackServer) throws -> Availability? {
    let (context, source) = try open(server)
    var found: Availability?
    // L2: a claim is bounded at 2 s.
    let isBounded = Patience.isSpared {
      do throws(SourceError) {
        try source.startUpdating()
      } catch {
        if case .unavailable(let availability) = error { found = availability }
      }
    }
    #expect(isBounded && !source.isUpdating)
    try context.close()
    return found
  }

  @Test func `one that hangs fails the start in time`() throws {
    let found = try refusal(LoopbackServer(.says([])))
    #expect(found?.state == .failed)
    #expect(found?.errno == SystemText.timedOut)
  }

  @Test func `an endless line fails the start in time`() throws {
    let server = try LoopbackServer(.repeats(String(repeating: "{", count: 1000)))
    #expect(try refusal(server)?.errno == SystemText.timedOut)
  }

  @Test func `endless garbage fails the start in time`() throws {
    let server = try LoopbackServer(.repeats("\u{0}[[[[{\"class\":\"TPV\"\r\n\n\"\\u12"))
    #expect(try refusal(server)?.errno == SystemText.timedOut)
  }

  @Test func `one that closes at once is not running, and is not asked again and again`() throws {
    let server = try LoopbackServer(.closes(after: ""))
    #expect(try refusal(server)?.state == .serviceNotRunning)
    #expect(server.visitorCount <= 2)
  }

  @Test func `another protocol is refused`() throws {
    let server = try LoopbackServer(.says([#"{"class":"VERSION","proto_major":4}"# + "\n"]))
    let found = try refusal(server)
    #expect(found?.state == .failed)
    #expect(found?.errno == SystemText.unknownProtocol)
    #expect(server.received == "")
  }

  @Test func `one that claims a thousand receivers is not believed`() throws {
    let devices = (0..<1000).map { #"{"path":"/dev/tty\#($0)"}"# }.joined(separator: ",")
    let server = try LoopbackServer(
      .says([
        #"{"class":"VERSION","proto_major":3}"# + "\n",
        #"{"class":"DEVICES","devices":[\#(devices)]}"# + "\n",
        #"{"class":"DEVICES","devices":[{"path":"/dev/a"}]}"# + "\n",
      ]))
    let (context, source) = try open(server)
    // The list is longer than any line may be: the next one counts.
    try source.startUpdating()
    #expect(try context.sources(of: "gps").count == 2)
    try context.close()
  }
}
