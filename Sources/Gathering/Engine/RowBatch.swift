package import CGatheredKit

/// The readings of one delivery of a stream's rows, written out where they are asked for.
final class RowBatch: Sendable {
  let readingCount: Int
  private let slices: [RowSlice]
  /// The number of the first reading of each slice.
  private let starts: [Int]

  init(_ slices: [RowSlice]) {
    self.slices = slices
    var (starts, count) = ([Int](), 0)
    starts.reserveCapacity(slices.count)
    for slice in slices {
      starts.append(count)
      count += slice.rowCount
    }
    self.starts = starts
    readingCount = count
  }

  /// Writes readings from one on, as many as there are and have room; how many were written.
  func write(
    from first: Int, to target: UnsafeMutablePointer<Row>, atMost limit: Int, width: Int
  ) -> Int {
    let end = min(readingCount, first + limit)
    guard first < end else { return 0 }
    // The last slice that does not begin behind the first reading.
    var (low, high) = (0, starts.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if starts[middle] <= first { low = middle } else { high = middle - 1 }
    }
    for reading in first..<end {
      while reading - starts[low] >= slices[low].rowCount { low += 1 }
      let slice = slices[low]
      guard slice.propertyCount == width else { return reading - first }
      slice.write(reading - starts[low], to: target + (reading - first) * width)
    }
    return end - first
  }
}

/// The readings of an update as a function of the C interface reads them, for the time of its call.
package struct LentBatch {
  private let newest: Block
  private let batch: RowBatch?

  init(newest: Block, batch: RowBatch?) {
    self.newest = newest
    self.batch = batch
  }

  /// How many readings there are.
  package var readingCount: Int { batch?.readingCount ?? 1 }

  /// Writes the samples of readings from one on, the oldest first, into room for so many samples;
  /// how many were written, which are whole readings. Texts are lent as long as the batch.
  package func write(
    from first: Int, to target: UnsafeMutablePointer<gkit_sample>, capacity: Int
  ) -> Int {
    let width = newest.count
    guard width > 0, first >= 0, first < readingCount else { return 0 }
    let room = capacity / width
    guard room > 0 else { return 0 }
    if first == readingCount - 1 {
      target.update(from: newest.rows, count: width)
      return width
    }
    return (batch?.write(from: first, to: target, atMost: room, width: width) ?? 0) * width
  }
}
