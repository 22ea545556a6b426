/// What is to be told besides rows, in order, each thing once: it is made when it is sent, so the
/// newest is sent.
struct Announcements {
  enum Item: Hashable {
    case online, device
    case about(Int)
    case state(Int)
    /// What is retained of a source is deleted.
    case clearing(Int)
    /// What Home Assistant is told of a kind.
    case discovery(String)
  }

  private var order: [Item] = []
  private var start = 0
  private var pending: Set<Item> = []

  var first: Item? { start < order.count ? order[start] : nil }
  var isEmpty: Bool { first == nil }

  mutating func append(_ item: Item) {
    if pending.insert(item).inserted { order.append(item) }
  }

  mutating func removeFirst() {
    guard let first else { return }
    pending.remove(first)
    start += 1
    if start == order.count { (order, start) = ([], 0) }
  }

  mutating func removeAll() { self = Announcements() }
}
