public import Ground

/// Reads the modes of connectors from graphics cards.
public protocol DisplayOpener: Sendable {
  /// Opens a card by the kernel's name, `card0`, for looking at it only.
  ///
  /// Throws EACCES, ENOENT, ELIBACC without the library, EAGAIN for a card that sleeps and would be
  /// woken by it.
  func open(card: String) throws(SystemError) -> any DisplayCard
}

/// A graphics card that is open. It belongs to one reader.
public protocol DisplayCard: AnyObject {
  /// The mode of the picture a connector shows, by its name, `eDP-1`; nil while it shows none.
  ///
  /// Does not access the screen and so does not wake it. Throws ENODEV for a card that was removed.
  func mode(ofConnector name: String) throws(SystemError) -> DisplayMode?
}

/// A mode of a screen with its timing.
public struct DisplayMode: Equatable, Sendable {
  /// How many pixels are shown.
  public var width, height: Int
  /// Pixels per second, in Hz, including those of the blanking.
  public var pixelClock: Double
  /// Pixels of a line and lines of a frame, blanking included.
  public var lineLength, lineCount: Int
  /// Two fields, one after the other, make a frame.
  public var isInterlaced: Bool
  /// Every line is shown twice.
  public var isDoubled: Bool

  /// A mode of a size and a timing.
  public init(
    width: Int, height: Int, pixelClock: Double, lineLength: Int, lineCount: Int,
    isInterlaced: Bool = false, isDoubled: Bool = false
  ) {
    self.width = width
    self.height = height
    self.pixelClock = pixelClock
    self.lineLength = lineLength
    self.lineCount = lineCount
    self.isInterlaced = isInterlaced
    self.isDoubled = isDoubled
  }

  /// Pictures a second, in Hz: the pixel clock over all pixels of a frame; nil without a timing.
  public var refreshRate: Double? {
    guard pixelClock > 0, lineLength > 0, lineCount > 0 else { return nil }
    let frames = pixelClock / (Double(lineLength) * Double(lineCount))
    return frames * (isInterlaced ? 2 : 1) / (isDoubled ? 2 : 1)
  }
}
