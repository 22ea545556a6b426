import Gathering
import Ground
import Machine

extension Screen {
  /// Sets the brightness of a screen's backlight, as a share of its largest: in its file or, where
  /// that is closed to us as to any ordinary user, through logind, which lets the session in the
  /// foreground.
  static func setBrightness(
    _ share: Double, of instance: Instance, on machine: Machine
  ) throws(SourceError) {
    guard let folder = instance.notes["backlight"],
      let name = folder.split(separator: "/").last.map(String.init)
    else { throw .notSupported("\(instance.name) has no backlight that could be set") }
    let largest = Outcome(
      reading: PolledFile("\(folder)/max_brightness", in: machine.files), .count)
    guard let most = largest.integer, most > 0 else {
      let reason = largest.absence?.reason ?? "\(folder)/max_brightness is 0"
      throw .notSupported("the brightness cannot be set: \(reason)")
    }
    let path = "\(folder)/brightness"
    let raw = Int64((share * Double(most)).rounded())
    do throws(SystemError) {
      return try machine.files.write(Array("\(raw)\n".utf8), to: path)
    } catch {
      guard refusals.contains(error.code) else { throw .io(errno: error.code, place: error.place) }
      try LoginDaemon.setBrightness(ofBacklight: name, to: raw, on: machine, after: error)
    }
  }

  /// What a file that others may write says.
  private static let refusals = [
    SystemText.accessDenied, SystemText.notPermitted, SystemText.readOnly,
  ]
}

extension LoginDaemon {
  private static let session = "org.freedesktop.login1.Session"

  /// Sets the brightness through logind if the file refused.
  fileprivate static func setBrightness(
    ofBacklight name: String, to raw: Int64, on machine: Machine, after refusal: SystemError
  ) throws(SourceError) {
    guard let bus = machine.bus else { throw Self.refusal(refusal, nil, on: machine) }
    let arguments: [BusValue] = [
      .string("backlight"), .string(name), .uint32(UInt32(clamping: raw)),
    ]
    do throws(BusFailure) {
      // Our own session, wherever we are started from.
      let own = BusCall(Self.name, path + "/session/auto", session, "SetBrightness", arguments)
      do throws(BusFailure) {
        _ = try bus.ask(own)
      } catch {
        // A session without a seat may not, but another session of this user may: logind lists
        // them.
        for one in error.mayDifferElsewhere ? sessions(on: bus) : [] {
          let call = BusCall(Self.name, one, session, "SetBrightness", arguments)
          if (try? bus.ask(call)) != nil { return }
        }
        throw error
      }
    } catch {
      throw Self.refusal(refusal, error, on: machine)
    }
  }

  /// The paths of the sessions that have a seat.
  private static func sessions(on bus: any MessageBus) -> [String] {
    let list = (try? bus.ask(BusCall(name, path, manager, "ListSessions")))?.first?.elements ?? []
    return list.compactMap { one in
      guard case .structure(let members) = one, members.count == 5,
        members[3].text?.isEmpty == false
      else { return nil }
      return members[4].path
    }
  }

  private static func refusal(
    _ refusal: SystemError, _ failure: BusFailure?, on machine: Machine
  ) -> SourceError {
    if refusal.code == SystemText.readOnly && failure.map(\.mayDifferElsewhere) != true {
      return .io(errno: refusal.code, place: refusal.place)
    }
    let closed = "\(refusal.place): \(SystemText.message(of: refusal.code))"
    var availability = Availability(
      .permissionDenied, backend: "sysfs", detail: closed, errno: refusal.code,
      remedy: "give this user write access to \(refusal.place)")
    if let failure {
      availability.detail += "; logind: \(failure.message)"
      availability.remedy =
        failure.mayDifferElsewhere
        ? "log in at the machine itself: the session in its foreground may set the brightness"
        : Availability(failure, of: service, in: machine.files).remedy
    }
    return .unavailable(availability)
  }
}

extension BusFailure {
  /// Whether logind was there and refused, as it does by session.
  fileprivate var mayDifferElsewhere: Bool {
    switch cause {
    case .noLibrary, .noBus, .notRunning, .timedOut: false
    default: true
    }
  }
}
