package import Causality
import NoteText
package import NotesModel
package import StrictJSON

/// A note in responses and notifications.
package struct NoteObject: ReceivedObject, Hashable, Sendable {
    /// The note's metadata. `head.conflicts` is not used here: it is not written, and it is empty
    /// in a note that was read.
    package var head: Head
    /// The note's text, in the form that the request asked for.
    package var body: Body
    /// The newest revisions, for people. If this is set, the version vector is written too.
    package var siblings: Version?
    /// The open conflicts, with ranges in the session's encoding.
    package var conflicts: [ConflictObject]
    package var received = ReceivedJSON<ArraySlice<UInt8>?>(nil)

    /// Forms of a note's text.
    package enum Body: Hashable, Sendable {
        /// No text.
        case meta
        /// The whole text.
        case text([UInt8])
        /// Edits that lead to the text, in the session's encoding. `base` is the version that they
        /// apply to; nil if the client knows it, because it named that version in its request.
        case edits(base: Version?, [PositionedEdit])
    }

    package init(_ head: Head, body: Body = .meta, siblings: Version? = nil, conflicts: [ConflictObject]) {
        self.head = head
        self.body = body
        self.siblings = siblings
        self.conflicts = conflicts
    }

    /// Makes a note without its text, as in lists.
    package init(_ head: Head, _ encoding: PositionEncoding) {
        self.init(head, conflicts: head.conflicts.map { ConflictObject($0, encoding) })
    }

    /// The whole text; nil in the other forms.
    package var text: [UInt8]? {
        if case .text(let text) = body { text } else { nil }
    }
}

extension NoteObject {
    /// Writes the note as one JSON object.
    package func write(to writer: inout JSONWriter) {
        writer.object { note in
            note.member("id", head.id)
            note.member("name", head.name?.bytes)
            note.member("version", head.version)
            if let siblings {
                note.name("siblings")
                note.array(of: siblings.dots) { $0.string($1) }
                note.name("vector")
                note.object { head.vector.writeMembers(to: &$0) }
            }
            note.name("conflicts")
            note.array(of: conflicts) { $1.write(to: &$0) }
            note.member("title", head.file == nil ? head.title : "")
            note.name("tags")
            note.array(of: head.tags) { $0.string($1) }
            note.member("created", head.created)
            note.member("modified", head.modified)
            note.name("author")
            head.author.write(to: &note)
            note.member("bytes", head.bytes)
            note.member("deleted", head.isDeleted)
            writeFiles(to: &note)
            body.writeMembers(to: &note)
        }
    }

    private static func title(of value: JSONValue, _ file: FileContent?) throws(ParamFault) -> ByteString {
        let title = try value.required("title", Param.string)
        return file.map { ByteString(validUTF8: $0.line) } ?? title
    }

    /// Writes the content of a file; beside its text all contents, if it has several.
    private func writeFiles(to note: inout JSONWriter) {
        guard let content = head.file else { return }
        note.name("file")
        note.object { file in
            content.writeMembers(to: &file)
            file.member("type", FileType.of(head.name))
        }
        guard let text, case let contents = FileContent.all(of: text), contents.count > 1 else { return }
        note.name("files")
        note.array(of: contents) { $1.write(to: &$0) }
    }

    /// Reads a note.
    package init(reading value: JSONValue) throws(ParamFault) {
        let id = try value.required("id", Param.noteID)
        let file = try value.optional("file", FileContent.init(reading:))
        let head = Head(
            id: id,
            name: try value.required("name", Param.nullable(Param.name)),
            version: try value.required("version", Param.version),
            vector: try value.optional("vector", VersionVector.init(reading:)) ?? VersionVector(),
            title: try Self.title(of: value, file),
            tags: try value.required("tags", Param.array(Param.string)),
            created: try value.required("created", Param.timestamp),
            modified: try value.required("modified", Param.timestamp),
            author: try value.required("author", Author.init(reading:)),
            bytes: try value.required("bytes", Param.count),
            isDeleted: try value.required("deleted", Param.bool))
        let siblings = try value.optional("siblings", Param.array(Param.dot))
        self.init(
            head, body: try Body(readingMembersOf: value), siblings: siblings.map { Version($0) },
            conflicts: try value.required("conflicts", Param.array(ConflictObject.init(reading:))))
        received = ReceivedJSON(value.source)
    }
}

extension NoteObject.Body {
    fileprivate func writeMembers(to note: inout JSONWriter) {
        switch self {
        case .meta: break
        case .text(let text): note.member("text", text: text)
        case .edits(let base, let edits):
            if let base { note.member("base", base) }
            note.member("edits", edits)
        }
    }

    fileprivate init(readingMembersOf value: JSONValue) throws(ParamFault) {
        if let text = try value.optional("text", Param.text) {
            self = .text(text)
        } else if let edits = try value.optional("edits", Param.array(PositionedEdit.init(reading:))) {
            self = .edits(base: try value.optional("base", Param.version), edits)
        } else {
            self = .meta
        }
    }
}

extension VersionVector {
    /// Writes the counters sorted by replica, so that equal vectors give equal bytes.
    fileprivate func writeMembers(to vector: inout JSONWriter) {
        for (replica, counter) in counters.sorted(by: { $0.key < $1.key }) {
            vector.name(Array(replica.description.utf8))
            vector.integer(counter)
        }
    }

    fileprivate init(reading value: JSONValue) throws(ParamFault) {
        var counters: [ReplicaID: UInt64] = [:]
        for member in value.members {
            guard let replica = ReplicaID(parsing: member.name.utf8) else {
                throw ParamFault(path: ParamFault.quoted(member.name), reason: "is not a replica id")
            }
            counters[replica] = try Param.number(member.value)
        }
        self.init(counters)
    }
}

extension Author {
    func write(to writer: inout JSONWriter) {
        writer.object { author in
            author.member("user", user)
            author.member("label", label)
        }
    }

    init(reading value: JSONValue) throws(ParamFault) {
        self.init(
            user: try value.required("user", Param.string), label: try value.required("label", Param.nullable(Param.string)))
    }
}
