package import Causality
package import NoteText
package import NotesModel
package import StrictJSON

/// Result of `note.purge`.
package struct PurgeResult: WireResult, ReceivedObject {
    /// The purge's revision.
    package var dot: Dot
    /// The version at which the note begins now.
    package var version: Version
    /// The places that the daemon cannot reach and that may have the erased text.
    package var beyond: [Place]
    /// The erased and the kept files; nil if the daemon has no files, or if this is the response to a repeated request.
    package var files: PurgedFiles?
    /// Whether a request with the same `op` already did the purge, so that this one did nothing.
    package var isReplayed: Bool
    package var received = ReceivedJSON<ArraySlice<UInt8>?>(nil)

    /// A place that may have the erased text.
    package enum Place: Hashable, Sendable {
        /// A backup in the store's folder for backups.
        case backup(path: ByteString)
        /// Backups and copies of the store that were written elsewhere.
        case copies
        /// Files that the note was exported or mirrored to.
        case exports
        /// Swap, undo and draft files of editors.
        case drafts

        /// The word on the wire.
        package var word: String {
            switch self {
            case .backup: "backup"
            case .copies: "copies"
            case .exports: "exports"
            case .drafts: "drafts"
            }
        }
    }

    package init(dot: Dot, version: Version, backups: [String], files: PurgedFiles? = nil, isReplayed: Bool = false) {
        self.dot = dot
        self.version = version
        beyond = backups.map { .backup(path: ByteString($0)) } + [.copies, .exports, .drafts]
        self.files = files
        self.isReplayed = isReplayed
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.member("dot", dot)
            result.member("version", version)
            result.name("beyond")
            result.array(of: beyond) { writer, place in
                writer.object { object in
                    object.member("place", place.word)
                    if case .backup(let path) = place { object.member("path", path) }
                }
            }
            if let files {
                result.name("files")
                result.object { object in
                    object.member("erased", files.erased)
                    object.member("kept", files.kept)
                    object.name("notes")
                    object.array(of: files.notes) { $0.string($1) }
                }
            }
            if isReplayed { result.member("replayed", true) }
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        dot = try value.required("dot", Param.dot)
        version = try value.required("version", Param.version)
        // A place that this client does not know is left out.
        beyond = try value.required("beyond", Param.array(Self.place)).compactMap { $0 }
        files = try value.optional("files", Self.files)
        isReplayed = try value.optional("replayed", Param.bool) ?? false
        received = ReceivedJSON(value.source)
    }

    private static func files(_ value: JSONValue) throws(ParamFault) -> PurgedFiles {
        PurgedFiles(
            erased: try value.required("erased", Param.count), kept: try value.required("kept", Param.count),
            notes: try value.required("notes", Param.array(Param.noteID)))
    }

    private static func place(_ value: JSONValue) throws(ParamFault) -> Place? {
        let word = try value.required("place", Param.string)
        if word == "backup" { return .backup(path: try value.required("path", Param.string)) }
        return [Place.copies, .exports, .drafts].first { word == ByteString($0.word) }
    }
}
