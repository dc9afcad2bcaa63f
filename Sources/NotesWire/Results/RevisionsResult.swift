import NoteText
package import NotesModel
package import StrictJSON

/// Result of `revisions.list`: a page of the revisions of all notes, newest first.
package struct RevisionsResult: WireResult {
    /// The revisions of the page.
    package var entries: [NoteRevision]
    /// The commit before which the next page begins; nil at the end.
    package var next: UInt64?

    package init(_ page: NoteRevisionPage) {
        entries = page.entries
        next = page.next
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.name("revisions")
            result.array(of: entries) { $1.write(to: &$0) }
            result.member("next", next.map { ByteString("\($0)") })
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        entries = try value.required(
            "revisions",
            Param.array { (entry) throws(ParamFault) in
                NoteRevision(
                    note: try entry.required("note", Param.noteID),
                    revision: try entry.required("revision", RevisionSummary.init(reading:)))
            })
        next = try value.required("next", Param.nullable(Param.commit))
    }
}

extension NoteRevision {
    /// Writes the note's id and the revision as one JSON object.
    package func write(to writer: inout JSONWriter) {
        writer.object { entry in
            entry.member("note", note)
            entry.name("revision")
            revision.write(to: &entry)
        }
    }
}
