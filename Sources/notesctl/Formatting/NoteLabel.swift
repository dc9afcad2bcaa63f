import Causality
import NotesModel

/// What a note is called for people.
enum NoteLabel {
    /// Its name, or else its title in quotes, or else that it has neither.
    static func of(_ head: Head) -> String {
        if let name = head.name { return name.description }
        return head.title.isEmpty ? "(untitled)" : "“\(head.title)”"
    }

    /// What to type for it in a shell: its name, where that can be typed, or else its id.
    static func reference(_ head: Head) -> String {
        guard let name = head.name?.description, !name.hasPrefix("-"), SafeText.line(name) == name else {
            return head.id.description
        }
        return Shell.quoted(name)
    }
}

/// Words as a POSIX shell takes them for one.
enum Shell {
    static func quoted(_ word: String) -> String {
        let isPlain = word.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "/", ":", "@", "%", "+", "=", ",": true
            default: scalar.value >= 0x80
            }
        }
        return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}

/// Beginnings of ids that are long enough to tell all of a set apart.
enum ShortID {
    static let digitsMin = 8

    /// How many characters of their ids tell the notes apart.
    ///
    /// - Complexity: O(n log n).
    static func length(for ids: [NoteID]) -> Int {
        let sorted = ids.sorted().map { Array($0.description.utf8) }
        var length = digitsMin
        for (left, right) in zip(sorted, sorted.dropFirst()) where left != right {
            let common = zip(left, right).prefix { $0 == $1 }.count
            length = max(length, common + 1)
        }
        return length
    }

    static func text(_ id: NoteID, _ length: Int) -> String {
        String(id.description.prefix(length))
    }
}

/// Dots for people: the beginning of the replica, long enough to tell a note's replicas apart, and the counter.
struct ShortDots {
    let replicaDigits: Int

    static let replicaDigitsMin = 6

    /// - Complexity: O(n log n) in the number of dots.
    init(_ dots: some Sequence<Dot>) {
        let replicas = Set(dots.map(\.replica)).sorted().map { Array($0.description.utf8) }
        var digits = Self.replicaDigitsMin
        for (left, right) in zip(replicas, replicas.dropFirst()) {
            digits = max(digits, zip(left, right).prefix { $0 == $1 }.count + 1)
        }
        replicaDigits = digits
    }

    func text(_ dot: Dot) -> String {
        "\(dot.replica.description.prefix(replicaDigits)):\(dot.counter)"
    }
}

extension Author {
    /// `user/label`.
    var forPeople: String {
        label.map { "\(user)/\($0)" } ?? user.description
    }
}
