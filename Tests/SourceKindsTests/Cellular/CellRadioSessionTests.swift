import GatheredKitTesting
import Gathering
import Machine
import Testing
import Values

@testable import SourceKinds

/// What a modem is asked and told while sessions run, and what is withheld.
@Suite struct CellRadioSessionTests {
  private let played: PlayedModem

  init() throws { played = try PlayedModem() }

  private func sample(_ source: Source, _ key: String) -> Sample {
    source.allValues[source.properties.firstIndex { $0.key == key } ?? 0]
  }

  /// Ends the context; the modem is told before that returns, or soon after.
  private func close(_ context: Context, _ source: Source) throws {
    try source.stopUpdating()
    try context.close()
  }

  // MARK: Set-up

  @Test func `P5 a signal is set up between start and stop only, and put back`() throws {
    let context = try played.open()
    let source = try context.open("cell_radio")
    try source.updateValuesInPlace()
    #expect(played.setups.isEmpty)
    try source.startUpdating(every: 7_900_000_000)
    #expect(Patience.wait { played.setups == [7] })
    try source.updateValuesInPlace()
    #expect(played.setups == [7])
    try source.stopUpdating()
    #expect(Patience.wait { played.setups == [7, 0] })
    try context.close()
    #expect(played.setups == [7, 0])
    #expect(played.bus.watchCount(of: PlayedModem.daemon) == 0)
    #expect(!played.bus.calls.contains { $0.destination != PlayedModem.daemon })
  }

  @Test func `P5 a rate that another program has set stays`() throws {
    played.set(PlayedModem.signal, ["Rate": .uint32(10)])
    let context = try played.open()
    let source = try context.open("cell_radio")
    try source.startUpdating(every: 1_000_000_000)
    try source.updateValuesInPlace()
    #expect(sample(source, "rsrp").payload == .double(-92))
    try close(context, source)
    #expect(played.setups.isEmpty)
  }

  @Test func `P5 a rate that another program sets afterwards is not put back`() throws {
    let context = try played.open()
    let source = try context.open("cell_radio")
    try source.startUpdating(every: 5_000_000_000)
    #expect(Patience.wait { played.setups == [5] })
    played.set(PlayedModem.signal, ["Rate": .uint32(5)])
    try source.updateValuesInPlace()
    played.set(PlayedModem.signal, ["Rate": .uint32(60)])
    try source.updateValuesInPlace()
    try close(context, source)
    #expect(played.setups == [5])
  }

  @Test func `a rate of ours that is lost is set again`() throws {
    let context = try played.open()
    let source = try context.open("cell_radio")
    try source.startUpdating(every: 5_000_000_000)
    #expect(Patience.wait { played.setups == [5] })
    played.set(PlayedModem.signal, ["Rate": .uint32(5)])
    try source.updateValuesInPlace()
    played.set(PlayedModem.signal, ["Rate": .uint32(0)])
    try source.updateValuesInPlace()
    #expect(played.setups == [5, 5])
    try close(context, source)
  }

  @Test func `a new interval is a new rate, and all of it is put back once`() throws {
    let context = try played.open()
    let source = try context.open("cell_radio")
    try source.startUpdating(every: 5_000_000_000)
    #expect(Patience.wait { played.setups == [5] })
    played.set(PlayedModem.signal, ["Rate": .uint32(5)])
    try source.startUpdating(every: 20_000_000)
    #expect(Patience.wait { played.setups == [5, 1] })
    try close(context, source)
    #expect(Patience.wait { played.setups == [5, 1, 0] })
  }

  @Test(arguments: [
    "org.freedesktop.PolicyKit1.Error.NotAuthorized", "org.freedesktop.DBus.Error.AccessDenied",
    "org.freedesktop.ModemManager1.Error.Core.Unauthorized",
  ])
  func `P5 a refusal costs the signal its values, and nothing else`(name: String) throws {
    played.bus.answer("Setup", with: .failure(BusFailure(name: name, message: "not you")))
    let context = try played.open()
    let source = try context.open("cell_radio")
    try source.startUpdating(every: 5_000_000_000)
    try source.updateValuesInPlace()
    for key in ["rssi", "rsrp", "rscp", "rsrq", "snr", "ecio", "sinr"] {
      #expect(sample(source, key).status == .permission, "\(key)")
      #expect(sample(source, key).absence?.remedy.isEmpty == false, "\(key)")
    }
    for key in ["signal_quality", "operator_name", "registration", "imei"] {
      #expect(sample(source, key).status == .ok, "\(key)")
    }
    try source.updateValuesInPlace()
    #expect(source.isUpdating && played.setups == [5])
    try close(context, source)
    #expect(played.setups == [5])
  }

  @Test func `A4 a refusal counts until a caller asks anew`() throws {
    let name = "org.freedesktop.DBus.Error.AccessDenied"
    played.bus.answer("Setup", with: .failure(BusFailure(name: name, message: "not you")))
    let context = try played.open()
    let source = try context.open("cell_radio")
    try source.startUpdating(every: 5_000_000_000)
    try source.updateValuesInPlace()
    #expect(sample(source, "rssi").status == .permission)
    #expect(played.setups == [5])
    played.bus.answer("Setup", with: .success([]))
    try source.startUpdating(every: 5_000_000_000)
    #expect(Patience.wait { played.setups == [5, 5] })
    #expect(Patience.wait { sample(source, "rssi").status != .permission })
    try close(context, source)
  }

  // MARK: Location

  @Test func `a location is taken apart, and what is no cell is no data`() throws {
    let expected: [(String, [ValueStatus], [String?])] = [
      ("262,02,84CD,1A2B3C,2F1C", [.ok, .ok, .ok], ["1A2B3C", "84CD", "2F1C"]),
      ("262,02,84cd,1a", [.ok, .ok, .noData], ["1a", "84cd", nil]),
      ("262,02,FFFE,1A,0", [.ok, .noData, .noData], ["1A", nil, nil]),
      ("262,02,,0,FFFE", [.noData, .noData, .noData], [nil, nil, nil]),
      ("262,02,xyz,-1,+2", [.failed, .failed, .failed], [nil, nil, nil]),
      ("nowhere", [.failed, .failed, .failed], [nil, nil, nil]),
      ("", [.noData, .noData, .noData], [nil, nil, nil]),
    ]
    for (text, statuses, words) in expected {
      played.set(PlayedModem.location, ["Location": PlayedModem.cell(.string(text))])
      let values = try played.read()
      let keys = ["cell_id", "location_area", "tracking_area"]
      #expect(keys.map { values[$0]?.status } == statuses, "\(text)")
      #expect(keys.map { values[$0]?.value.text } == words, "\(text)")
    }
  }

  @Test func `a location that was told is not asked for, and a refusal is told`() throws {
    played.set(PlayedModem.location, ["Location": PlayedModem.cell(.string("262,02,1,2,3"))])
    #expect(try played.read()["cell_id"] == .ok(.string("2")))
    #expect(played.bus.calls.isEmpty)
    played.set(PlayedModem.location, ["Location": PlayedModem.numbers([:])])
    let refusal = BusFailure(name: "org.freedesktop.DBus.Error.AccessDenied", message: "not you")
    played.bus.answer("GetLocation", with: .failure(refusal))
    let values = try played.read()
    for key in ["cell_id", "location_area", "tracking_area"] {
      #expect(values[key]?.status == .permission, "\(key)")
    }
    #expect(values["rsrp"] == .ok(.double(-92)))
  }

  // MARK: Privacy

  @Test func `P1 P4 where a modem is, is neither asked nor shown without leave`() throws {
    played.bus.answer(
      "GetLocation", with: .success([PlayedModem.cell(.string("262,02,84CD,1A2B3C,2F1C"))]))
    let context = try played.open(.none)
    let source = try context.open("cell_radio")
    try source.updateValuesInPlace()
    for (property, sample) in zip(source.properties, source.allValues)
    where property.category != nil {
      #expect(sample.status == .permission && sample.payload == nil, "\(property.key)")
      #expect(sample.absence?.remedy == property.category?.remedy, "\(property.key)")
    }
    #expect(!played.bus.calls.contains { $0.member == "GetLocation" })
    #expect(sample(source, "operator_code").status == .ok)
    let words = "\(source.id) \(source.label) \(source.availability)"
    for secret in ["867698041234567", "a1b2c3", "1A2B3C"] { #expect(!words.contains(secret)) }
    try context.setAllow(Allowance(categories: [.cellID]))
    try source.updateValuesInPlace()
    #expect(sample(source, "cell_id").payload == .string("1A2B3C"))
    #expect(sample(source, "imei").status == .permission)
    try context.setAllow(.none)
    #expect(sample(source, "cell_id").payload == nil)
    try context.close()
  }

  @Test func `P4 nor is what could not be understood quoted once leave is taken back`() throws {
    played.set(PlayedModem.location, ["Location": PlayedModem.cell(.string("262,02,84CD,QQ7,1"))])
    let context = try played.open()
    let source = try context.open("cell_radio")
    try source.updateValuesInPlace()
    #expect(sample(source, "cell_id").absence?.reason.contains("QQ7") == true)
    try context.setAllow(.none)
    #expect(sample(source, "cell_id").absence?.reason.contains("QQ7") != true)
    try context.close()
  }
}
