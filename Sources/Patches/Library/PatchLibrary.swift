public import Gathering
public import Values

/// The types of patches the library has, in the order of its catalogue: one line each.
enum PatchLibrary {
  static let all: [any PatchBlueprint] = [
    SourceBlueprint(),
    KindBlueprint(kind: Constant.self),
    KindBlueprint(kind: Scale.self),
    KindBlueprint(kind: Convert.self),
    KindBlueprint(kind: Component.self),
    KindBlueprint(kind: Norm.self),
    KindBlueprint(kind: LowPass.self),
    KindBlueprint(kind: HighPass.self),
    KindBlueprint(kind: MovingAverage.self),
    KindBlueprint(kind: Threshold.self),
    KindBlueprint(kind: Gate.self),
    KindBlueprint(kind: Switch.self),
    KindBlueprint(kind: Formula.self),
    KindBlueprint(kind: Combine.self),
    KindBlueprint(kind: Summary.self),
    KindBlueprint(kind: Statistics.self),
    KindBlueprint(kind: Derivative.self),
    KindBlueprint(kind: Integrate.self),
    KindBlueprint(kind: FFTPeak.self),
    KindBlueprint(kind: Debounce.self),
    KindBlueprint(kind: Throttle.self),
    KindBlueprint(kind: Count.self),
    FormatBlueprint(),
    KindBlueprint(kind: ClockPatch.self),
    RecordBlueprint(),
    KindBlueprint(kind: LogPatch.self),
    KindBlueprint(kind: Attitude.self),
  ]
}

extension PatchCatalogue {
  /// Makes a catalogue of the library's types, for patches outside of contexts.
  public convenience init() { self.init(PatchLibrary.all) }
}

extension Context {
  /// The patch types of this context.
  public var patchCatalogue: PatchCatalogue {
    attachment { PatchCatalogue(PatchLibrary.all, of: self) }
  }

  /// Makes a patch of a type on the loop of this context; nil makes an empty one.
  public func makePatch(
    _ type: String?, options: ValueDictionary = [:]
  ) throws(PatchError) -> Patch {
    if isClosed { throw .closed }
    guard let type else { return Patch(in: self) }
    return try patchCatalogue.make(type, options: options, on: queue, clock: queue)
  }
}
