import Ground
public import Machine

extension Machine {
  /// The machine whose files a context of a URI would read: `local:` or `local:root=DIR`.
  ///
  /// Throws `invalidArgument` for any other URI, `notFound` for a missing folder.
  public static func withFiles(of uri: String) throws(SourceError) -> Machine {
    switch try ContextURI(uri).target {
    case .local: return .live()
    case .tree(let root):
      do {
        return try .captured(root: root)
      } catch {
        throw .notFound("\(root): \(SystemText.message(of: error.code))")
      }
    default:
      throw .invalidArgument("\(uri): only local: and local:root=DIR have files to be captured")
    }
  }
}
