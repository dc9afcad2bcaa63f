/// A set of revisions closed under "had been shown to its writer", named by its maximal dots.
///
/// This is the text form of a dotted version vector (Preguiça et al., arXiv:1011.5808; Almeida et al., DAIS 2014): mostly
/// one dot, several while siblings stand beside each other, none for "nothing seen". The dots are held sorted, once each.
/// A version that a client sends may name dots that are in each other's past; only a `RevisionGraph` can tell, and
/// `RevisionGraph.reduce` makes it the antichain that every version the daemon prints is.
package struct Version: Hashable, Sendable {
    /// Sorted, each once.
    package let dots: [Dot]

    package init(_ dots: some Sequence<Dot>) {
        var sorted = dots.sorted()
        var kept = 0
        for dot in sorted where kept == 0 || sorted[kept - 1] != dot {
            sorted[kept] = dot
            kept += 1
        }
        sorted.removeLast(sorted.count - kept)
        self.dots = sorted
    }

    package init(_ dot: Dot) {
        dots = [dot]
    }

    /// The version of one who has been shown nothing.
    package static let nothing = Version([])

    package var isNothing: Bool { dots.isEmpty }

    /// The dot, where the version is named by one alone.
    package var single: Dot? { dots.count == 1 ? dots[0] : nil }

    /// Both sets together, not reduced.
    package func union(_ other: Version) -> Version {
        Version(dots + other.dots)
    }

    /// Reads dots joined by single spaces, in any order, with repeats; the empty text is `nothing`. Nil for anything else.
    ///
    /// - Complexity: O(n log n) in the length of the text.
    package init?(parsing utf8: some BidirectionalCollection<UInt8>) {
        guard let dots = utf8.withContiguousBytes(Self.parseDots) else { return nil }
        self.init(dots)
    }

    private static func parseDots(_ utf8: UnsafeBufferPointer<UInt8>) -> [Dot]? {
        guard !utf8.isEmpty else { return [] }
        var dots: [Dot] = []
        for part in utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false) {
            guard let dot = Dot(parsing: part) else { return nil }
            dots.append(dot)
        }
        return dots
    }
}

extension Version: CustomStringConvertible {
    package var description: String {
        dots.map(\.description).joined(separator: " ")
    }
}
