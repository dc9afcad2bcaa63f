package import Causality
import Console
import NoteText
package import NotesModel

/// The label of a note for display.
package enum NoteLabel {
    /// The note's name, else its title in quotes, else `(untitled)`.
    package static func of(_ head: Head) -> String {
        if let name = head.name { return name.description }
        if let file = head.file { return "a file of \(ByteCount.text(file.bytes))" }
        return head.title.isEmpty ? "(untitled)" : "“\(head.title)”"
    }

    /// The word that denotes the note in a shell command: its name, quoted, if it can be typed,
    /// else its id.
    package static func reference(_ head: Head) -> String {
        guard let name = head.name?.description, !name.hasPrefix("-"), SafeText.line(name) == name else {
            return head.id.description
        }
        return Shell.quoted(name)
    }
}

/// Short forms of note ids that are unique within a set: their last characters. An id begins with
/// the time at which it was made and ends with random digits, so ends are much shorter than
/// beginnings for notes that were imported together.
package enum ShortID {
    static let digitsMin = 6

    /// The fewest characters, at least `digitsMin`, that distinguish the ids.
    package static func length(for ids: [NoteID]) -> Int {
        let sorted = Set(ids).map { Array($0.description.utf8.reversed()) }.sorted { $0.lexicographicallyPrecedes($1) }
        var length = digitsMin
        for (left, right) in zip(sorted, sorted.dropFirst()) where left != right {
            let common = zip(left, right).prefix { $0 == $1 }.count
            length = max(length, common + 1)
        }
        return length
    }

    package static func text(_ id: NoteID, _ length: Int = digitsMin) -> String {
        String(id.description.suffix(length))
    }
}

/// Short forms of dots: the beginning of the replica, long enough to distinguish the replicas of a
/// set, and the counter.
package struct ShortDots {
    /// Hexadecimal digits of a short replica.
    let replicaDigits: Int

    static let replicaDigitsMin = 6

    /// - Complexity: O(n log n) in the number of dots.
    package init(_ dots: some Sequence<Dot>) {
        let replicas = Set(dots.map(\.replica)).sorted().map { Array($0.description.utf8) }
        var digits = Self.replicaDigitsMin
        for (left, right) in zip(replicas, replicas.dropFirst()) {
            digits = max(digits, zip(left, right).prefix { $0 == $1 }.count + 1)
        }
        replicaDigits = digits
    }

    package func text(_ dot: Dot) -> String {
        "\(dot.replica.description.prefix(replicaDigits)):\(dot.counter)"
    }
}

extension Author {
    /// The author for display: `user/label`, or `user` without a label.
    package var forPeople: String {
        label.map { "\(user)/\($0)" } ?? user.description
    }
}
