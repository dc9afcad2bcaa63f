package import Causality
package import NotesModel

/// Names for tests: replica `A` is `aaaaaaaaaaaaaaaa`, dot `A2` its second.
package func replica(_ letter: Character) -> ReplicaID {
    guard let id = ReplicaID(parsing: Array(String(repeating: letter.lowercased(), count: 16).utf8)) else {
        preconditionFailure("a test's replica is a letter from A to F")
    }
    return id
}

package func dot(_ name: String) -> Dot {
    guard let letter = name.first, let counter = UInt64(name.dropFirst()) else { preconditionFailure("a test's dot is like A2") }
    return Dot(replica(letter), counter)
}

package func version(_ names: String...) -> Version {
    Version(names.map(dot))
}

package func noteID(_ number: UInt64) -> NoteID {
    NoteID(at: Timestamp(milliseconds: 1_700_000_000_000), random: (0, number))
}

package let ada = Author(user: "ada", label: "laptop/vim")

/// The bytes of a string.
package func bytes(_ string: String) -> [UInt8] {
    Array(string.utf8)
}

package func name(_ string: String) -> NoteName {
    do {
        return try NoteName(ByteString(string))
    } catch {
        preconditionFailure("a test's name is a name: \(error)")
    }
}
