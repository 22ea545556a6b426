import Gathering
public import Values

/// One thing that is wrong with a document.
public struct GraphProblem: Equatable, Sendable {
  /// What kind of problem it is.
  public enum Code: String, Sendable, CaseIterable {
    /// Not JSON, or a wrong member.
    case malformed
    /// Another format, or a newer version.
    case unsupportedVersion
    /// A name that is none.
    case badName
    /// A name that is taken.
    case duplicateName
    /// Not in the catalogue.
    case unknownPatchType
    /// An option that is unknown, missing, of another type or out of range.
    case badOption
    /// A reference to a child that is not there.
    case unknownPatch
    /// The child has no such port.
    case unknownPort
    /// The hints cannot meet, or a value does not fit.
    case typeMismatch
    /// Two wires into one input.
    case inputWiredTwice
    /// A child without a type name, or a wire to something outside.
    case notSavable
  }

  /// What kind of problem it is.
  public var code: Code
  /// Where: a JSON pointer, empty for the whole document.
  public var pointer: String
  /// One sentence.
  public var message: String
  /// The known name nearest to the given one, if any is near.
  public var nearest: String?

  /// A problem.
  public init(_ code: Code, at pointer: String, _ message: String, nearest: String? = nil) {
    self.code = code
    self.pointer = pointer
    self.message = message
    self.nearest = nearest
  }

  /// The problem as C and Python get it: `{code, pointer, message, nearest?}`.
  public var dictionary: ValueDictionary {
    var members: ValueDictionary = [
      "code": .string(code.rawValue), "pointer": .string(pointer), "message": .string(message),
    ]
    if let nearest { members["nearest"] = .string(nearest) }
    return members
  }
}
