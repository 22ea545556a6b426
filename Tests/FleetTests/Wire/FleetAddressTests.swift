import Gathering
import Machine
import Testing

@testable import Fleet

/// The URIs of brokers.
struct FleetAddressTests {
  @Test func `F39 a host alone says enough`() throws {
    let address = try FleetAddress("mqtt:broker.local")
    #expect(address.broker.host == "broker.local" && address.broker.port == 1883)
    #expect(!address.broker.usesTLS && address.root == "gathered" && address.devices == nil)
    #expect(address.broker.keepAlive == 30 && address.broker.version == nil)
  }

  @Test func `F39 everything can be said`() throws {
    let address = try FleetAddress(
      "mqtts://[::1]:8884&root=plant7/line2&devices=pi,robot&kinds=battery&user=u"
        + "&password_file=/p&ca=/ca&cert=/c&key=/k&version=3.1.1&keepalive=10")
    #expect(address.broker.host == "::1" && address.broker.port == 8884)
    #expect(address.broker.usesTLS && address.root == "plant7/line2")
    #expect(address.devices == ["pi", "robot"] && address.kinds == ["battery"])
    #expect(address.broker.user == "u" && address.broker.passwordFile == "/p")
    #expect(address.broker.authorities == "/ca" && address.broker.certificate == "/c")
    #expect(address.broker.key == "/k" && address.broker.version == .v311)
    #expect(address.broker.keepAlive == 10)
    #expect(try FleetAddress("mqtts:h").broker.port == 8883)
    #expect(try FleetAddress("mqtt:h&tls=1").broker.usesTLS)
  }

  @Test(arguments: [
    ("mqtt:", "names no host"), ("mqtt:h:0", "no port"), ("mqtt:h:65536", "no port"),
    ("mqtt:h&colour=red", "no parameter"), ("mqtt:h&later=1", "no parameter"),
    ("mqtt:u:secret@h", "no part of the address"),
    ("mqtt:h&root=a//b", "root"), ("mqtt:h&root=a/%23", "root"), ("mqtt:h&root=+", "root"),
    ("mqtt:h&version=4", "version"), ("mqtt:h&keepalive=1", "keepalive"),
    ("mqtt:h&tls=yes", "tls"), ("mqtt:h&password_file=/p", "needs user="),
    ("mqtts:h&cert=/c", "need each other"), ("mqtt:h&ca=/c", "mqtts:"),
    ("mqtt:h&user=u", "insecure=1"), ("mqtt:h&devices=a,,b", "empty name"), ("local:", "mqtt:HOST"),
  ])
  func `what is wrong is named, and no secret is`(uri: String, part: String) {
    #expect {
      try FleetAddress(uri)
    } throws: { error in
      guard case .invalidArgument(let text)? = error as? SourceError else { return false }
      return text.contains(part) && !text.contains("secret")
    }
  }

  @Test func `F36 a password goes in the open only on loopback, or where that is written`() throws {
    #expect(try FleetAddress("mqtt:127.0.0.1&user=u").broker.user == "u")
    #expect(try FleetAddress("mqtt:h&user=u&insecure=1").broker.isInsecure)
  }
}
