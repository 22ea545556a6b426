import Ground
import Streams
import Values

/// A timer whose ticks are samples: the index, at the moment that was due.
final class DynamicTimer: ValueStream {
  private struct Grid: Sendable {
    var start: Int64
    var interval: Int64
  }

  let ticks: TimerStream
  private let context: Context
  private let grid: Monitor<Grid>

  /// Starts one interval from now unless a start is given; both are nanoseconds.
  init(start: Int64?, every interval: Int64, in context: Context) {
    let first = Moment(nanoseconds: context.now.boot) + .nanoseconds(interval)
    let start = start ?? first.nanoseconds
    self.context = context
    grid = Monitor(Grid(start: start, interval: interval))
    ticks = TimerStream(
      start: Moment(nanoseconds: start), every: .nanoseconds(interval), clock: context.queue)
  }

  /// Changes the grid, at once.
  func set(start: Int64? = nil, interval: Int64? = nil) {
    let grid = grid.withLock { grid in
      grid.start = start ?? grid.start
      grid.interval = interval ?? grid.interval
      return grid
    }
    ticks.setGrid(
      start: Moment(nanoseconds: grid.start), every: .nanoseconds(grid.interval))
  }

  func subscribe(_ sink: Sink<Sample>) -> Connection {
    let context = context
    return ticks.subscribe { tick in
      let now = context.now
      let due = tick.due.nanoseconds
      sink.receive(
        Sample(.int(Int64(tick.index)), time: due, realtime: due &+ (now.realtime &- now.boot)))
    }
  }
}
