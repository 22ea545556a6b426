public import Machine

/// One property of an instance that is one file of its own.
public struct Attribute: Sendable {
  /// The index in the property table.
  public var property: Int
  /// The file, absolute on the machine.
  public var path: String
  /// What its text means.
  public var rule: TextRule

  /// A property read from a file by a rule.
  public init(_ property: Int, _ path: String, _ rule: TextRule) {
    self.property = property
    self.path = path
    self.rule = rule
  }
}

/// Reads an instance whose properties are files: one attribute, one read, one outcome.
public final class AttributeReader: InstanceReader {
  private let properties: [Property]
  private let attributes: [Attribute]
  private let files: [PolledFile]

  /// A reader of attributes below a machine's root.
  public init(_ attributes: [Attribute], of properties: [Property], in files: any FileTree) {
    self.properties = properties
    self.attributes = attributes
    self.files = attributes.map { PolledFile($0.path, in: files) }
  }

  /// Reads each attribute that is asked for, once.
  public func read(_ request: ReadRequest, into reading: inout Reading) {
    for (attribute, file) in zip(attributes, files)
    where request.wants(properties[attribute.property]) {
      reading[attribute.property] = Outcome(reading: file, attribute.rule)
    }
  }

  /// The text of the attribute, as the last read gave it.
  public func raw(ofPropertyAt index: Int) -> RawValue? {
    for (attribute, file) in zip(attributes, files)
    where attribute.property == index && !file.bytes.isEmpty {
      return RawValue(file.bytes, place: file.path)
    }
    return nil
  }
}

extension Outcome {
  /// What a file says by a rule, or why it cannot be read.
  public init(reading file: PolledFile, _ rule: TextRule) {
    do {
      self = rule(try file.read())
    } catch {
      self = .from(error)
    }
  }
}
