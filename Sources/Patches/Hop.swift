import Gathering
import Streams

/// The next thing to do on a loop, filled in where it stands: what moves is copied.
struct Hop {
  /// What there is to do.
  enum Step: Sendable {
    /// A value has come to an input: `receiver`, then the subscribers in `core`, if there are any.
    case arrival
    /// A value has come to an input that does not take it.
    case misfit
    /// A value of an output goes over its `wires`, each of which takes a look.
    case fanOut
    /// A value of an output goes to wires and subscribers, by its `core`.
    case delivery
    case errand
    /// A value has no listener any more.
    case nothing
    /// Nothing waits.
    case end
  }

  var parcel = Parcel()
  var kept: Kept?
  /// The input it has come to, and who receives it there.
  var input = PortKey.none
  var receiver: (any InputReceiver)?
  /// Who received for an input that was removed meanwhile.
  var spent: (any InputReceiver)?
  /// The number of the value.
  var number: UInt64 = 0
  var wires: ContiguousArray<WiredInput> = []
  /// The subscribers of the port, and the place of the value among what they get.
  var core: PublinkCore<Sample>?
  var place: UInt64 = 0
  var errand: PatchQueue.Errand?

  /// Releases what it holds, outside every lock; the receiver goes back.
  mutating func clear() {
    if kept != nil { kept = nil }
    if core != nil { core = nil }
  }
}
