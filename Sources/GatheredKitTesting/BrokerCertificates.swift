import Glibc

/// Certificates for a broker behind TLS and its clients, made on the spot by `openssl`.
public enum BrokerCertificates {
  /// What openssl refused.
  public struct Failure: Error {
    /// Its arguments.
    public let words: [String]
  }

  private static let program = "/usr/bin/openssl"

  /// Whether they can be made.
  public static var canBeMade: Bool { access(program, X_OK) == 0 }

  /// Makes `NAME.key` and `NAME.pem` in a folder, for a host of that name, which `ca.pem` there
  /// vouches for.
  public static func make(_ name: String, for host: String, in path: String) throws {
    let keyFile = ["-keyout", "\(path)/\(name).key"]
    try run(
      [
        "req", "-new", "-subj", "/CN=\(host)", "-out", "\(path)/\(name).csr", "-addext",
        "subjectAltName=DNS:\(host)",
      ] + key + keyFile)
    try run([
      "x509", "-req", "-in", "\(path)/\(name).csr", "-CA", "\(path)/ca.pem", "-CAkey",
      "\(path)/ca.key", "-CAcreateserial", "-days", "2", "-copy_extensions", "copy", "-out",
      "\(path)/\(name).pem",
    ])
  }

  /// Makes `NAME.key` and `NAME.pem` in a folder, vouched for by nothing else.
  public static func makeAuthority(_ name: String, in path: String) throws {
    try run(
      ["req", "-x509", "-days", "2", "-subj", "/CN=\(name)", "-out", "\(path)/\(name).pem"] + key
        + ["-keyout", "\(path)/\(name).key"])
  }

  private static let key = [
    "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
  ]

  private static func run(_ words: [String]) throws {
    guard try ChildProcess([program] + words).waitForExit() == 0 else {
      throw Failure(words: words)
    }
  }
}
