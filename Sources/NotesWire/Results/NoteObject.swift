package import Causality
package import NotesModel

/// A note as answers and watch lines show it.
package struct NoteObject: Hashable, Sendable {
    package var head: Head
    package var body: Body
    /// The newest revisions, for people. Where it is there, the vector is written too.
    package var siblings: Version?
    /// Those that are open, as the session counts. `head.conflicts` is not written, and empty where a note was read.
    package var conflicts: [ConflictObject]

    package enum Body: Hashable, Sendable {
        /// Nothing of the text.
        case meta
        case text([UInt8])
        /// The text as edits, in the session's encoding. `base` is told where the client may not know it.
        case edits(base: Version?, [PositionedEdit])
    }

    package init(_ head: Head, body: Body = .meta, siblings: Version? = nil, conflicts: [ConflictObject]) {
        self.head = head
        self.body = body
        self.siblings = siblings
        self.conflicts = conflicts
    }

    /// Without its text, as lists show it.
    package init(_ head: Head, _ encoding: PositionEncoding) {
        self.init(head, conflicts: head.conflicts.map { ConflictObject($0, encoding) })
    }

    package var text: [UInt8]? {
        if case .text(let text) = body { text } else { nil }
    }
}

extension NoteObject {
    package func write(to writer: inout JSONWriter) {
        writer.object { note in
            note.member("id", head.id.description)
            note.member("name", head.name?.bytes)
            note.member("version", head.version)
            if let siblings {
                note.name("siblings")
                note.array(of: siblings.dots) { $0.string($1.description) }
                note.name("vector")
                note.object { head.vector.writeMembers(to: &$0) }
            }
            note.name("conflicts")
            note.array(of: conflicts) { $1.write(to: &$0) }
            note.member("title", head.title)
            note.name("tags")
            note.array(of: head.tags) { $0.string($1) }
            note.member("created", head.created)
            note.member("modified", head.modified)
            note.name("author")
            head.author.write(to: &note)
            note.member("bytes", head.bytes)
            note.member("deleted", head.isDeleted)
            body.writeMembers(to: &note)
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        let head = Head(
            id: try value.required("id", Param.noteID),
            name: try value.required("name", Param.nullable(Param.name)),
            version: try value.required("version", Param.version),
            vector: try value.optional("vector", VersionVector.init(reading:)) ?? VersionVector(),
            title: try value.required("title", Param.string),
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
    /// By replica, so that equal vectors are equal bytes.
    fileprivate func writeMembers(to vector: inout JSONWriter) {
        for (replica, counter) in counters.sorted(by: { $0.key < $1.key }) {
            vector.name(replica.description.utf8)
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

extension PositionedEdit {
    func write(to writer: inout JSONWriter) {
        writer.object { edit in
            edit.member("start", start)
            edit.member("end", end)
            edit.member("text", text: text)
        }
    }

    init(reading value: JSONValue) throws(ParamFault) {
        self.init(
            start: Int(try value.required("start", Param.integer)), end: Int(try value.required("end", Param.integer)),
            text: try value.required("text", Param.text))
    }
}
