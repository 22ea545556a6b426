import Gathering
import Values

/// From one unit to another.
struct Convert: PatchKind {
  static let type = "convert"
  static let summary = "The value in another unit."
  static let inputs = [PortDescription("value")]
  static let outputs = [PortDescription("value")]
  static let options = [
    PortDescription("from", .string, isFixed: true), PortDescription("to", .string, isFixed: true),
  ]
  static let passesNull = true

  private let conversion: UnitConversion

  init(_ options: PatchOptions) throws(PatchError) {
    let from = try options.text("from")
    let to = try options.text("to")
    do {
      conversion = try UnitConversion(from: from, to: to)
    } catch .unknownUnit(let code, _) where code == from {
      throw .badOption("from", reason: "\(from) is not a known unit")
    } catch {
      throw .badOption("to", reason: error.description)
    }
  }

  var inputPorts: [PortDescription] { [PortDescription("value", unit: conversion.source)] }
  var outputPorts: [PortDescription] { [PortDescription("value", unit: conversion.target)] }

  mutating func receive(
    _ sample: Sample, on input: String, _ publish: (String, Payload) -> Void
  ) throws {
    let value = try Quantity.of(sample, on: input)
    // A number that is not finite is the same in every unit.
    let converted = value.map { (try? conversion.convert($0)) ?? $0 * .infinity }
    let isFinite = value.map { $0.isFinite ? 0 : $0 }
    let result = converted.joined(isFinite) { $1 == 0 ? $0 : $1 } ?? converted
    publish("value", result.payload)
  }
}
