import Gathering
import Machine

extension SensorPlan {
  /// A kind's table with the steps and ranges of this sensor's channels.
  func properties(_ table: [Property], on machine: Machine) -> [Property] {
    var table = table
    let attributes = IIOAttributes(of: device, in: machine.iio.files)
    for column in columns where column.device.path == device.path {
      let channels = column.channels.map {
        IIOChannel($0, of: device, reading: attributes, direction: column.direction)
      }
      // For axes with different steps, the coarsest is the resolution of every component.
      table[column.property].resolution = channels.compactMap(\.step).max()
      guard let limits = device.limits(of: column, in: machine.iio.files),
        let map = try? channels.first?.map(), channels.allSatisfy({ $0.step != nil })
      else { continue }
      let ends = [limits.lowerBound, limits.upperBound].map { $0 * map.factor + map.addend }
      table[column.property].range = min(ends[0], ends[1])...max(ends[0], ends[1])
    }
    return table
  }
}
