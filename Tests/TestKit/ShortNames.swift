package import Causality

/// Short names for tests: replica `A` is `aaaaaaaaaaaaaaaa`; dot `A2` is its second.
package func replica(_ letter: Character) -> ReplicaID {
    guard let id = ReplicaID(parsing: Array(String(repeating: letter.lowercased(), count: 16).utf8)) else {
        preconditionFailure("a test's replica is a letter from A to F")
    }
    return id
}

/// The dot with a short name such as `A2`.
package func dot(_ name: String) -> Dot {
    guard let letter = name.first, let counter = UInt64(name.dropFirst()) else { preconditionFailure("a test's dot is like A2") }
    return Dot(replica(letter), counter)
}

/// The version of the dots with short names.
package func version(_ names: String...) -> Version {
    Version(names.map(dot))
}

/// The bytes of a string.
package func bytes(_ string: String) -> [UInt8] {
    Array(string.utf8)
}

/// The bytes as a string, for messages of `#expect`.
package func string(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes), as: UTF8.self)
}
