import Gathering
import Testing

@testable import SourceKinds

@Suite struct FieldTests {
  /// `swap_total` as Swift spells it.
  private func camelCase(_ key: String) -> String {
    let words = key.split(separator: "_")
    return words.enumerated().map { index, word in
      index == 0 ? String(word) : word.prefix(1).uppercased() + word.dropFirst()
    }.joined()
  }

  private func expectFields<Field: CaseIterable>(_ fields: Field.Type, name kind: any SourceKind) {
    let names = fields.allCases.map { "\($0)" }
    #expect(names == kind.properties.map { camelCase($0.key) }, "\(kind.kind)")
  }

  @Test func `the fields of a kind are the keys of its table in order`() {
    expectFields(Memory.Field.self, name: Memory())
    expectFields(Processor.Field.self, name: Processor())
    expectFields(Battery.Field.self, name: Battery())
    expectFields(Thermal.Field.self, name: Thermal())
    expectFields(Temperature.Field.self, name: Temperature())
    expectFields(Network.Field.self, name: Network())
    expectFields(Storage.Field.self, name: Storage())
    expectFields(Screen.Field.self, name: Screen())
    expectFields(DeviceMetadata.Field.self, name: DeviceMetadata())
    expectFields(Switches.Field.self, name: Switches())
    expectFields(Compass.Field.self, name: Compass())
    expectFields(DeviceAttitude.Field.self, name: DeviceAttitude())
    expectFields(Magnetometer.Field.self, name: Magnetometer())
    expectFields(Gyroscope.Field.self, name: Gyroscope())
    expectFields(Accelerometer.Field.self, name: Accelerometer())
    expectFields(IIO.Field.self, name: IIO())
    expectFields(GPS.Field.self, name: GPS())
    expectFields(Altimeter.Field.self, name: Altimeter())
    expectFields(Proximity.Field.self, name: Proximity())
    expectFields(AmbientLight.Field.self, name: AmbientLight())
    expectFields(Humidity.Field.self, name: Humidity())
    expectFields(Steps.Field.self, name: Steps())
  }
}
