import Algorithms

/// A set of revisions that contains everything that their writers had seen, named by its maximal
/// dots.
///
/// This is the text form of a dotted version vector (Preguiça et al., arXiv:1011.5808; Almeida et
/// al., DAIS 2014). It has usually one dot, several while there are siblings, and none for the
/// empty version. The dots are sorted, each once. A version that a client sends may name dots that
/// are in each other's past. Only a `RevisionGraph` can detect this; its `reduce` yields the
/// antichain that every version printed by the daemon is.
package struct Version: Hashable, Sendable {
    /// The dots, sorted, each once.
    package let dots: [Dot]

    /// The version named by some dots, in any order and with repeats.
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

    /// The version named by one dot.
    package init(_ dot: Dot) {
        dots = [dot]
    }

    /// The empty version: that of a writer that has seen nothing.
    package static let nothing = Version([])

    /// Whether this is the empty version.
    package var isNothing: Bool { dots.isEmpty }

    /// The dot, if there is exactly one.
    package var single: Dot? { dots.count == 1 ? dots[0] : nil }

    /// Whether a dot is one of the dots.
    ///
    /// - Complexity: O(log dots).
    package func contains(_ dot: Dot) -> Bool {
        let index = dots.partitioningIndex { $0 >= dot }
        return index < dots.endIndex && dots[index] == dot
    }

    /// The version with another dot in place of one, if it has that.
    package func renaming(_ dot: Dot, to other: Dot) -> Version {
        contains(dot) ? Version(dots.map { $0 == dot ? other : $0 }) : self
    }

    /// The dots of both versions, not reduced.
    package func union(_ other: Version) -> Version {
        Version(dots + other.dots)
    }

    /// Parses dots separated by single spaces, in any order and with repeats; the empty text is
    /// `nothing`. Nil for anything else.
    ///
    /// - Complexity: O(n log n) in the length of the text.
    package init?(parsing utf8: some BidirectionalCollection<UInt8>) {
        guard let version = utf8.withContiguousBytes(Self.parse) else { return nil }
        self = version
    }

    /// Parses an array. Most lines have a version, and the generic initializer takes several times as long for callers
    /// in other modules.
    package init?(parsing utf8: [UInt8]) {
        guard let version = utf8.withUnsafeBufferPointer(Self.parse) else { return nil }
        self = version
    }

    private static func parse(_ utf8: UnsafeBufferPointer<UInt8>) -> Version? {
        guard !utf8.isEmpty else { return nothing }
        guard utf8.contains(UInt8(ascii: " ")) else { return Dot(parsing: utf8).map(Version.init) }
        var dots: [Dot] = []
        for part in utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false) {
            guard let dot = Dot(parsing: part) else { return nil }
            dots.append(dot)
        }
        return Version(dots)
    }
}

extension Version: TextForm, CustomStringConvertible {
    package var description: String { textForm }

    /// Appends the text form that `init(parsing:)` reads.
    package func appendText(to utf8: inout [UInt8]) {
        for (index, dot) in dots.enumerated() {
            if index > 0 { utf8.append(UInt8(ascii: " ")) }
            dot.appendText(to: &utf8)
        }
    }
}
