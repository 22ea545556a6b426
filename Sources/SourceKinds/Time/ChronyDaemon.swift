import Gathering
import Ground
import Machine

/// chronyd, asked for nothing but how its clock is.
struct ChronyDaemon {
  /// Why it tells nothing.
  struct Obstacle: Error {
    let outcome: Outcome
    /// Whether it runs.
    let isThere: Bool

    /// The outcome for a clock that something else sets.
    var withoutRemedy: Outcome {
      .noData(outcome.absence?.reason ?? "", errno: outcome.absence?.errno ?? 0)
    }
  }

  private let link: any DatagramLink

  init(_ link: any DatagramLink) { self.link = link }

  /// How long it is waited for: it is on this computer.
  private static let patience: Int64 = 200_000_000

  /// What it tells, or why it tells nothing.
  func report() -> Result<ClockReport, Obstacle> {
    let sequence = UInt32.random(in: 0 ... .max)
    let datagram: [UInt8]
    do throws(SystemError) {
      datagram = try link.exchange(
        ChronyTracking.question(sequence), within: Self.patience,
        accepting: { ChronyTracking.isAnswer($0, to: sequence) })
    } catch {
      return .failure(silence(error))
    }
    do throws(ChronyTracking.Fault) {
      let values = try ChronyTracking(parsing: datagram).values(from: "chronyd tracking")
      return .success(ClockReport(service: "chrony", values: values))
    } catch {
      return .failure(Obstacle(outcome: Self.outcome(of: error), isThere: true))
    }
  }

  private func silence(_ error: SystemError) -> Obstacle {
    let reason = "chronyd does not answer on \(link.address.text)"
    // A port that is open and silent has rules about who may ask.
    let isThere = error.code == SystemText.timedOut
    let remedy =
      isThere
      ? "let chronyd answer: cmdport and cmdallow in /etc/chrony/chrony.conf"
      : "systemctl start chrony.service # from package chrony"
    return Obstacle(
      outcome: .noData(reason, errno: error.code, remedy: remedy), isThere: isThere)
  }

  private static func outcome(of fault: ChronyTracking.Fault) -> Outcome {
    switch fault {
    case .version(let number): .failed("chronyd speaks version \(number)")
    case .status(2):
      .permission(
        "chronyd refuses to tell it",
        remedy: "let chronyd answer: cmdport and cmdallow in /etc/chrony/chrony.conf")
    case .status(let number): .failed("chronyd answers with status \(number)")
    case .format: .failed("chronyd's answer is no report")
    }
  }
}
