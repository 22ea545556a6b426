import Gathering
import Ground
import Machine
import Values

/// Reads an accelerometer that iio-sensor-proxy may hold: while the chip refuses other readers, the
/// daemon provides the orientation (catalogue 4.10).
final class AccelerometerReader: StreamingReader {
  private typealias Field = Accelerometer.Field

  private let chip: SensorReader
  private let key: String
  private let clock: any TimeSource
  private let held: HeldSensors
  private let claim: SensorProxyClaim
  private var claimedAt = Int64.min
  private var word = Outcome.notRead
  /// Whether the sensor was held at the last reading, or may have been before the first.
  private var wasHeld = true

  init(_ chip: SensorReader, _ plan: SensorPlan, on machine: Machine) {
    self.chip = chip
    // Who holds the chip is found out here.
    chip.held = nil
    key = plan.key
    clock = machine.clock
    held = HeldSensors.of(machine)
    claim = SensorProxyClaim(.accelerometer, on: machine)
  }

  /// The daemon may have to be waited for.
  var mayBlock: Bool { true }
  var streamsBelow: Int64 { chip.streamsBelow }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    chip.read(request, into: &reading)
    // Of a reading that did not fail nothing is copied.
    let isRefused =
      reading.status(at: Field.acceleration.rawValue) == .failed
      && reading[Field.acceleration].isBusy
    if !isRefused, !wasHeld, !claim.isHeld { return }
    if isRefused { ask() } else { claim.release() }
    let isReported = isRefused && word.status != .unsupported
    let holder: HeldSensors.Holder? = isReported ? .service : isRefused ? .others : nil
    if holder != nil || wasHeld { held.note(key, holder) }
    wasHeld = holder != nil
    // Who only looks once leaves the sensor as it was.
    if !request.isUpdating { claim.release() }
    guard isReported else { return }
    reading[Field.orientation] = word
    reading[Field.acquisition] = .ok(.string("service"))
  }

  /// Reads from the daemon, unless it is time to release the claim: our own claim may be the only
  /// reason it holds the chip, which the next reading shows.
  private func ask() {
    let now = clock.now.boot
    if claim.isHeld, now - claimedAt >= HeldSensors.memory { return claim.release() }
    if !claim.isHeld { claimedAt = now }
    do throws(BusFailure) {
      let reported = try claim.values()
      word =
        reported["HasAccelerometer"]?.flag == true
        ? Accelerometer.orientation(in: reported) : .unsupported("iio-sensor-proxy has no sensor")
    } catch {
      switch error.cause {
      case .timedOut, .malformed, .other: word = .failed(error.message, errno: error.errno)
      // Another process holds the chip.
      default: word = .unsupported(error.message)
      }
    }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    guard index == Field.orientation.rawValue else { return chip.raw(ofPropertyAt: index) }
    return claim.raw("AccelerometerOrientation")
  }

  func openStream(
    every interval: Int64, on loop: any Loop,
    deliver: @escaping @Sendable (SampleBlock) -> Void,
    ended: @escaping @Sendable (SourceError?) -> Void
  ) throws(SourceError) -> any SampleStream {
    do throws(SourceError) {
      return try chip.openStream(every: interval, on: loop, deliver: deliver, ended: ended)
    } catch {
      guard case .unavailable(var availability) = error,
        availability.errno == SystemText.busy, held.holder(of: key) == .service
      else { throw error }
      availability = .orientationOnly
      availability.errno = SystemText.busy
      throw .unavailable(availability)
    }
  }
}
