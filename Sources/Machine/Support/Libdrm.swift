import CLinux
import Glibc

/// libdrm's functions, looked up once a process.
public enum Libdrm {
  private static let loaded: Result<(clinux_display, String), MissingLibrary> = {
    do throws(MissingLibrary) {
      let library = try SharedLibrary("libdrm.so.2", package: "libdrm2")
      var table = clinux_display()
      if let symbol = clinux_display_bind(&table, library.handle) {
        throw library.missing(String(cString: symbol))
      }
      return .success((table, library.name))
    } catch {
      return .failure(error)
    }
  }()

  /// The file it was opened by, since it does not tell its version. Throws why there is none.
  public static func file() throws(MissingLibrary) -> String { try loaded.get().1 }

  static func table() throws(SystemError) -> clinux_display {
    switch loaded {
    case .success(let (table, _)): return table
    case .failure(let missing): throw missing.systemError
    }
  }
}
