package import Causality
package import NotesModel

/// Of `note.create`: the note, without its text.
package struct CreateResult: WireResult {
    package var note: NoteObject
    /// Where the `op` had been sent before: what was made then. `note` is as it is now.
    package var replay: Replay?

    package struct Replay: Hashable, Sendable {
        package var dot: Dot
        package var version: Version

        package init(dot: Dot, version: Version) {
            self.dot = dot
            self.version = version
        }
    }

    package init(note: NoteObject, replay: Replay? = nil) {
        self.note = note
        self.replay = replay
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.name("note")
            note.write(to: &result)
            if let replay {
                result.member("dot", replay.dot.description)
                result.member("version", replay.version)
                result.member("replayed", true)
            }
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        note = try value.required("note", NoteObject.init(reading:))
        if try value.optional("replayed", Param.bool) == true {
            replay = Replay(dot: try value.required("dot", Param.dot), version: try value.required("version", Param.version))
        }
    }
}

/// Of `note.get`.
package struct GetResult: WireResult {
    package var note: NoteObject

    package init(note: NoteObject) {
        self.note = note
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.name("note")
            note.write(to: &result)
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        note = try value.required("note", NoteObject.init(reading:))
    }
}

/// Of `note.list`: a page of notes without their texts, by name (bytes, null last), then id.
package struct ListResult: WireResult {
    package var notes: [NoteObject]
    /// Where the next page starts; nil at the end.
    package var next: ListPosition?

    package init(notes: [NoteObject], next: ListPosition?) {
        self.notes = notes
        self.next = next
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.name("notes")
            result.array(of: notes) { $1.write(to: &$0) }
            result.member("next", next.map(ListToken.text))
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        notes = try value.required("notes", Param.array(NoteObject.init(reading:)))
        next = try value.required("next", Param.nullable(Param.listPosition))
    }
}

/// Of `note.save`, `note.edit` and `note.delete`.
package struct OutcomeResult: WireResult {
    package var outcome: Outcome.Kind
    /// Nil where the note is unchanged.
    package var dot: Dot?
    /// The client's own version.
    package var version: Version
    /// Where the note shows something other than what was sent.
    package var note: Merged?
    /// Whether the `op` had been sent before, and nothing was done now.
    package var isReplayed: Bool

    /// At least one of `edits` and `text` is there.
    package struct Merged: Hashable, Sendable {
        /// The base to use once the client shows this text.
        package var version: Version
        /// From the text that was sent to the shown one, in the session's encoding; nil in answer to `note.delete`.
        package var edits: [PositionedEdit]?
        /// In answer to `note.save` and `note.delete`.
        package var text: [UInt8]?
        /// Those that are open in it, with their sides.
        package var conflicts: [ConflictObject]

        package init(version: Version, edits: [PositionedEdit]?, text: [UInt8]?, conflicts: [ConflictObject]) {
            self.version = version
            self.edits = edits
            self.text = text
            self.conflicts = conflicts
        }
    }

    package init(outcome: Outcome.Kind, dot: Dot?, version: Version, note: Merged?, isReplayed: Bool = false) {
        self.outcome = outcome
        self.dot = dot
        self.version = version
        self.note = note
        self.isReplayed = isReplayed
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.member("outcome", outcome.rawValue)
            if let dot { result.member("dot", dot.description) }
            result.member("version", version)
            if let note {
                result.name("note")
                note.write(to: &result)
            }
            if isReplayed { result.member("replayed", true) }
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        outcome = try value.required("outcome", Param.word(Outcome.Kind.self))
        dot = try value.optional("dot", Param.dot)
        version = try value.required("version", Param.version)
        note = try value.optional("note", Merged.init(reading:))
        isReplayed = try value.optional("replayed", Param.bool) ?? false
    }
}

extension OutcomeResult.Merged {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { note in
            note.member("version", version)
            if let edits { note.member("edits", edits) }
            note.name("conflicts")
            note.array(of: conflicts) { $1.write(to: &$0) }
            if let text { note.member("text", text: text) }
        }
    }

    fileprivate init(reading value: JSONValue) throws(ParamFault) {
        self.init(
            version: try value.required("version", Param.version),
            edits: try value.optional("edits", Param.array(PositionedEdit.init(reading:))),
            text: try value.optional("text", Param.text),
            conflicts: try value.required("conflicts", Param.array(ConflictObject.init(reading:))))
    }
}

extension Outcome.Kind: CaseIterable {
    package static let allCases: [Outcome.Kind] = [.saved, .merged, .conflicted, .unchanged]
}

/// Of `note.history`: newest first.
package struct HistoryResult: WireResult {
    package var revisions: [RevisionSummary]
    /// For `before` of the next page; nil at the end.
    package var next: Dot?

    package init(revisions: [RevisionSummary], next: Dot?) {
        self.revisions = revisions
        self.next = next
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.name("revisions")
            result.array(of: revisions) { $1.write(to: &$0) }
            result.member("next", next.map { ByteString($0.description) })
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        revisions = try value.required("revisions", Param.array(RevisionSummary.init(reading:)))
        next = try value.required("next", Param.nullable(Param.dot))
    }
}

extension RevisionSummary {
    package func write(to writer: inout JSONWriter) {
        writer.object { revision in
            revision.member("dot", dot.description)
            revision.name("parents")
            revision.array(of: parents.dots) { $0.string($1.description) }
            // A dot alone is the version that its revision made.
            revision.member("version", Version(dot))
            revision.name("author")
            author.write(to: &revision)
            revision.member("modified", time)
            revision.member("bytes", bytes)
            revision.member("deleted", isDeleted)
            revision.member("name", name?.bytes)
            revision.member("kind", isStated ? "edited" : "saved")
            if isCompacted { revision.member("compacted", true) }
        }
    }

    fileprivate init(reading value: JSONValue) throws(ParamFault) {
        self.init(
            dot: try value.required("dot", Param.dot),
            parents: Version(try value.required("parents", Param.array(Param.dot))),
            author: try value.required("author", Author.init(reading:)),
            time: try value.required("modified", Param.timestamp),
            bytes: try value.required("bytes", Param.count),
            isDeleted: try value.required("deleted", Param.bool),
            name: try value.required("name", Param.nullable(Param.name)),
            isStated: try value.required("kind", Param.string) == "edited",
            isCompacted: try value.optional("compacted", Param.bool) ?? false)
    }
}
