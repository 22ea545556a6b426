import Gathering
import Machine

/// ModemManager: its interfaces, and its numbers as the catalogue's words.
enum ModemDaemon {
  static let name = "org.freedesktop.ModemManager1"
  static let root = "/org/freedesktop/ModemManager1"
  static let modem = "org.freedesktop.ModemManager1.Modem"
  static let network = "org.freedesktop.ModemManager1.Modem.Modem3gpp"
  static let signal = "org.freedesktop.ModemManager1.Modem.Signal"
  static let location = "org.freedesktop.ModemManager1.Modem.Location"

  static let service = BusService(
    name, objects: .managed(root: root), unit: "ModemManager.service", package: "modemmanager")

  /// `State`, whose first word is −1.
  static let states = [
    "failed", "unknown", "initializing", "locked", "disabled", "disabling", "enabling", "enabled",
    "searching", "registered", "disconnecting", "connecting", "connected",
  ]

  /// `RegistrationState`; all numbers after these are `other`.
  static let registrations = [
    "idle", "home", "searching", "denied", "unknown", "roaming", "other",
  ]

  /// `AccessTechnologies`, a word for each bit.
  static let technologies = [
    "pots", "gsm", "gsm_compact", "gprs", "edge", "umts", "hsdpa", "hsupa", "hspa", "hspa_plus",
    "1xrtt", "evdo0", "evdoa", "evdob", "lte", "nr5g", "lte_cat_m", "lte_nb_iot",
  ]

  /// The dictionaries of a signal, newest technology first, and the bits they belong to.
  static let signals: [(name: String, bits: Int64)] = [
    ("Nr5g", 0x8000), ("Lte", 0x34000), ("Umts", 0x3e0), ("Gsm", 0x1e), ("Evdo", 0x3800),
    ("Cdma", 0x400),
  ]
}
