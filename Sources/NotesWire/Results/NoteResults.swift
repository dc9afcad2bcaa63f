package import Causality
package import NoteText
package import NotesModel
package import StrictJSON
import TextMerge

/// Result of `note.create`: the note without its text.
package struct CreateResult: WireResult {
    /// The current state of the note.
    package var note: NoteObject
    /// The original outcome, if a request with the same `op` already created the note.
    package var replay: Replay?

    /// The revision that the first request with this `op` made.
    package struct Replay: Hashable, Sendable {
        /// The revision's dot.
        package var dot: Dot
        /// The version that the revision made.
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
                result.member("dot", replay.dot)
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

/// Result of `note.get`.
package struct GetResult: WireResult {
    /// The note, with its text or edits.
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

/// Result of `note.list`: a page of notes without their texts, in the order that the params name.
package struct ListResult: WireResult {
    /// The notes of the page.
    package var notes: [NoteObject]
    /// The place where the next page starts; nil at the end.
    package var next: ListPlace?

    package init(notes: [NoteObject], next: ListPlace?) {
        self.notes = notes
        self.next = next
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.name("notes")
            result.array(of: notes) { $1.write(to: &$0) }
            result.member("next", next.flatMap(ListToken.text))
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        notes = try value.required("notes", Param.array(NoteObject.init(reading:)))
        next = try value.required("next", Param.nullable(Param.listPlace))
    }
}

/// Result of `tags.list`: a page of tags by their bytes.
package struct TagsResult: WireResult {
    /// The tags of the page.
    package var tags: [TagCount]
    /// The tag after which the next page starts; nil at the end.
    package var next: ByteString?

    package init(_ page: TagPage) {
        tags = page.tags
        next = page.next
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.name("tags")
            result.array(of: tags) { writer, count in
                writer.object {
                    $0.member("tag", count.tag)
                    $0.member("notes", count.notes)
                }
            }
            result.member("next", next)
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        tags = try value.required(
            "tags",
            Param.array { (tag) throws(ParamFault) in
                TagCount(
                    tag: try tag.required("tag", Param.string),
                    notes: try tag.required("notes", Param.integer(in: 0...Int.max)))
            })
        next = try value.required("next", Param.nullable(Param.string))
    }
}

/// Result of `note.save`, `note.edit`, `note.delete` and `note.undo`.
package struct OutcomeResult: WireResult, ReceivedObject {
    /// What the write did: `saved`, `merged`, `conflicted` or `unchanged`.
    package var outcome: Outcome.Kind
    /// The new revision; nil if the note is unchanged.
    package var dot: Dot?
    /// The version of exactly what the client sent. A client that continues from it extends its
    /// own branch.
    package var version: Version
    /// The merged note, if it differs from what the client sent; always after `note.undo`.
    package var note: Merged?
    /// Whether a request with the same `op` already did the write, so that this one did nothing.
    package var isReplayed: Bool
    package var received = ReceivedJSON<ArraySlice<UInt8>?>(nil)

    /// The merged note. At least one of `edits` and `text` is set.
    package struct Merged: Hashable, Sendable {
        /// The base for the next write of a client that has replaced its text with the merged text.
        package var version: Version
        /// Edits from the text that the client sent, or after `note.undo` from the text of the base, to
        /// the merged text, in the session's encoding; nil after `note.delete`.
        package var edits: [PositionedEdit]?
        /// The merged text, after `note.save` and `note.delete`.
        package var text: [UInt8]?
        /// The open conflicts in the merged text, with detail.
        package var conflicts: [ConflictObject]
        /// Whether the note is deleted; the merged text is then empty.
        package var isDeleted: Bool

        package init(
            version: Version, edits: [PositionedEdit]?, text: [UInt8]?, conflicts: [ConflictObject], isDeleted: Bool = false
        ) {
            self.version = version
            self.edits = edits
            self.text = text
            self.conflicts = conflicts
            self.isDeleted = isDeleted
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
            if let dot { result.member("dot", dot) }
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
        received = ReceivedJSON(value.source)
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
            if isDeleted { note.member("deleted", true) }
        }
    }

    fileprivate init(reading value: JSONValue) throws(ParamFault) {
        self.init(
            version: try value.required("version", Param.version),
            edits: try value.optional("edits", Param.array(PositionedEdit.init(reading:))),
            text: try value.optional("text", Param.text),
            conflicts: try value.required("conflicts", Param.array(ConflictObject.init(reading:))),
            isDeleted: try value.optional("deleted", Param.bool) ?? false)
    }
}

extension Outcome.Kind: CaseIterable {
    /// All outcomes, for reading them by name.
    package static let allCases: [Outcome.Kind] = [.saved, .merged, .conflicted, .unchanged]
}

/// Result of `note.history`, newest revision first.
package struct HistoryResult: WireResult {
    /// The revisions of the page.
    package var revisions: [RevisionSummary]
    /// The value for `before` of the next page; nil at the end.
    package var next: Dot?
    /// The JSON of each revision, in the same order; empty unless the result was read.
    package var received = ReceivedJSON<[ArraySlice<UInt8>]>([])

    package init(revisions: [RevisionSummary], next: Dot?) {
        self.revisions = revisions
        self.next = next
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.name("revisions")
            result.array(of: revisions) { $1.write(to: &$0) }
            result.member("next", next)
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        revisions = try value.required("revisions", Param.array(RevisionSummary.init(reading:)))
        next = try value.required("next", Param.nullable(Param.dot))
        received = ReceivedJSON(try value.required("revisions") { (list) throws(ParamFault) in list.elements.map(\.source) })
    }
}

extension RevisionSummary {
    /// The word on the wire for the kind of write.
    private var kind: String {
        if isPurge { return "purge" }
        return withdraws.isEmpty ? isStated ? "edited" : "saved" : "undo"
    }

    /// Writes the revision as one JSON object.
    package func write(to writer: inout JSONWriter) {
        writer.object { revision in
            revision.member("dot", dot)
            revision.name("parents")
            revision.array(of: parents.dots) { $0.string($1) }
            // The version that a revision made is its dot alone.
            revision.member("version", Version(dot))
            revision.name("author")
            author.write(to: &revision)
            revision.member("modified", time)
            revision.member("bytes", bytes)
            revision.member("deleted", isDeleted)
            revision.member("name", name?.bytes)
            revision.member("kind", kind)
            if isCompacted { revision.member("compacted", true) }
            if !withdraws.isEmpty {
                revision.name("withdraws")
                revision.array(of: withdraws) { $0.string($1) }
            }
            if isWithdrawn { revision.member("withdrawn", true) }
            if !resolves.isEmpty {
                revision.name("resolves")
                revision.array(of: resolves) { $0.string($1) }
            }
            if let times { revision.member("times", times) }
        }
    }

    init(reading value: JSONValue) throws(ParamFault) {
        let kind = try value.required("kind", Param.string)
        self.init(
            dot: try value.required("dot", Param.dot),
            parents: Version(try value.required("parents", Param.array(Param.dot))),
            author: try value.required("author", Author.init(reading:)),
            time: try value.required("modified", Param.timestamp),
            bytes: try value.required("bytes", Param.count),
            isDeleted: try value.required("deleted", Param.bool),
            name: try value.required("name", Param.nullable(Param.name)),
            isStated: kind != "saved",
            isCompacted: try value.optional("compacted", Param.bool) ?? false, isPurge: kind == "purge",
            withdraws: try value.optional("withdraws", Param.array(Param.dot)) ?? [],
            isWithdrawn: try value.optional("withdrawn", Param.bool) ?? false,
            resolves: try value.optional("resolves", Param.array(Param.conflictID)) ?? [],
            times: try value.optional("times") { (times) throws(ParamFault) in
                FileTimes(
                    modified: try times.required("modified", Param.timestamp),
                    created: try times.optional("created", Param.timestamp))
            })
    }
}
