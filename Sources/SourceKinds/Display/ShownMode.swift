import Gathering
import Ground
import Machine

/// The mode a connector shows, read from its graphics card if that may be opened.
final class ShownMode {
  private let displays: any DisplayOpener
  private let card: String
  private let connector: String
  private var opened: (any DisplayCard)?

  /// The mode of a connector, by its entry in `/sys/class/drm`: `card0-eDP-1`.
  init(ofEntry entry: Substring, through displays: any DisplayOpener) {
    let card = entry.prefix { $0 != "-" }
    self.displays = displays
    self.card = String(card)
    connector = String(entry.dropFirst(card.count + 1))
  }

  /// The present mode; nil if the card cannot be opened, is suspended or shows nothing.
  func read() -> DisplayMode? {
    do throws(SystemError) {
      if opened == nil { opened = try displays.open(card: card) }
      return try opened?.mode(ofConnector: connector)
    } catch {
      // A card that comes back is opened anew.
      opened = nil
      return nil
    }
  }

  /// The mode as it was shown, in words.
  func raw(_ mode: DisplayMode) -> RawValue {
    let text =
      "\(mode.width)x\(mode.height) \(mode.pixelClock) \(mode.lineLength) \(mode.lineCount)"
    return RawValue(text.utf8, place: "/dev/dri/\(card)")
  }
}
