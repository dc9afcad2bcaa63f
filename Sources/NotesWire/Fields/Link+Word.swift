package import NoteText

extension Link.Kind {
    /// The name of a kind on the wire.
    enum Word: String, CaseIterable {
        case wiki, embed, path, id

        var kind: Link.Kind {
            switch self {
            case .wiki: .wiki
            case .embed: .embed
            case .path: .path
            case .id: .id
            }
        }
    }

    var word: Word {
        switch self {
        case .wiki: .wiki
        case .embed: .embed
        case .path: .path
        case .id: .id
        }
    }

    /// The name on the wire.
    package var wireName: ByteString { ByteString(word.rawValue) }
}
