/// What the elements of a tree weigh: which of them are counted.
protocol ListScale<Element>: Sendable {
  associatedtype Element: Sendable
  static func weight(of elements: [Element]) -> Int
}

/// No element has a weight.
enum Unweighed<Element: Sendable>: ListScale {
  static func weight(of elements: [Element]) -> Int { 0 }
}

/// True elements weigh one.
enum Trues: ListScale {
  static func weight(of elements: [Bool]) -> Int { elements.reduce(0) { $1 ? $0 + 1 : $0 } }
}

/// An immutable list that shares unchanged parts with the list it was made from.
typealias SharedList<Element: Sendable> = ListTree<Unweighed<Element>>

/// A list as a balanced tree. A change costs the number of elements it touches plus the logarithm
/// of the length.
///
/// Leaves hold up to `leafLimit` elements, in order; the heights of two siblings differ by one at
/// most.
struct ListTree<Scale: ListScale>: Sendable {
  typealias Element = Scale.Element
  static var leafLimit: Int { 64 }

  final class Node: Sendable {
    let count: Int
    let weight: Int
    let height: Int
    /// The elements of a leaf; empty in a branch.
    let elements: [Element]
    let children: (left: Node, right: Node)?

    init(_ elements: [Element]) {
      self.elements = elements
      (count, height) = (elements.count, 0)
      weight = Scale.weight(of: elements)
      children = nil
    }

    init(_ left: Node, _ right: Node) {
      elements = []
      count = left.count + right.count
      weight = left.weight + right.weight
      height = max(left.height, right.height) + 1
      children = (left, right)
    }
  }

  private(set) var root: Node?

  init() {}

  init(_ elements: [Element]) { root = Self.tree(of: elements[...]) }

  var count: Int { root?.count ?? 0 }

  /// What all elements weigh.
  var weight: Int { root?.weight ?? 0 }

  /// All elements.
  var elements: [Element] { self[0..<count] }

  subscript(index: Int) -> Element {
    guard var node = root else { return [Element]()[index] }
    var rest = index
    while let (left, right) = node.children {
      if rest < left.count {
        node = left
      } else {
        rest -= left.count
        node = right
      }
    }
    return node.elements[rest]
  }

  subscript(range: Range<Int>) -> [Element] {
    var found: [Element] = []
    found.reserveCapacity(range.count)
    if let root { Self.take(range, of: root, into: &found) }
    return found
  }

  /// What the elements before an index weigh.
  func weight(before index: Int) -> Int {
    guard var node = root, index > 0 else { return 0 }
    var (rest, sum) = (index, 0)
    while let (left, right) = node.children {
      if rest < left.count {
        node = left
      } else {
        (rest, sum) = (rest - left.count, sum + left.weight)
        node = right
      }
    }
    return sum + Scale.weight(of: Array(node.elements.prefix(rest)))
  }

  /// The first index whose element is not before what is looked for, in a list that is so ordered.
  func firstIndex(notBefore isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Puts other elements in the place of a range.
  mutating func replace(_ range: Range<Int>, with new: [Element]) {
    guard let root else { return self.root = Self.tree(of: new[...]) }
    self.root = Self.replacing(range, in: root, with: new)
  }

  /// Changes a list as it was told.
  mutating func apply(_ change: ArrayChange<Element>) {
    for modification in change.modifications {
      replace(modification.formerRange, with: modification.new)
    }
  }
}

// MARK: Trees

extension ListTree {
  private static func tree(of elements: ArraySlice<Element>) -> Node? {
    if elements.count <= leafLimit { return elements.isEmpty ? nil : Node(Array(elements)) }
    let middle = elements.startIndex + elements.count / 2
    return joined(tree(of: elements[..<middle]), tree(of: elements[middle...]))
  }

  private static func take(_ range: Range<Int>, of node: Node, into found: inout [Element]) {
    if range.isEmpty { return }
    guard let (left, right) = node.children else {
      return found.append(contentsOf: node.elements[range])
    }
    take(range.clamped(to: 0..<left.count), of: left, into: &found)
    if range.upperBound > left.count {
      let lower = max(0, range.lowerBound - left.count)
      take(lower..<(range.upperBound - left.count), of: right, into: &found)
    }
  }

  private static func replacing(
    _ range: Range<Int>, in node: Node, with new: [Element]
  ) -> Node? {
    guard let (left, right) = node.children else {
      var elements = node.elements
      elements.replaceSubrange(range, with: new)
      return tree(of: elements[...])
    }
    if range.upperBound <= left.count {
      return joined(replacing(range, in: left, with: new), right)
    }
    let rest = range.upperBound - left.count
    if range.lowerBound >= left.count {
      return joined(left, replacing((range.lowerBound - left.count)..<rest, in: right, with: new))
    }
    let front = replacing(range.lowerBound..<left.count, in: left, with: new)
    return joined(front, replacing(0..<rest, in: right, with: []))
  }

  /// Two trees side by side, in balance again.
  private static func joined(_ left: Node?, _ right: Node?) -> Node? {
    guard let left else { return right }
    guard let right else { return left }
    return joined(left, right)
  }

  private static func joined(_ left: Node, _ right: Node) -> Node {
    if left.height == 0, right.height == 0, left.count + right.count <= leafLimit {
      return Node(left.elements + right.elements)
    }
    if left.height > right.height + 1, let (outer, inner) = left.children {
      return balanced(outer, joined(inner, right))
    }
    if right.height > left.height + 1, let (inner, outer) = right.children {
      return balanced(joined(left, inner), outer)
    }
    return Node(left, right)
  }

  /// The parent of two whose heights differ by two at most.
  private static func balanced(_ left: Node, _ right: Node) -> Node {
    if left.height > right.height + 1, let (outer, inner) = left.children {
      if outer.height >= inner.height { return Node(outer, Node(inner, right)) }
      if let (first, second) = inner.children {
        return Node(Node(outer, first), Node(second, right))
      }
    }
    if right.height > left.height + 1, let (inner, outer) = right.children {
      if outer.height >= inner.height { return Node(Node(left, inner), outer) }
      if let (first, second) = inner.children {
        return Node(Node(left, first), Node(second, outer))
      }
    }
    return Node(left, right)
  }
}
