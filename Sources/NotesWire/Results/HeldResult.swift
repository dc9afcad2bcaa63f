import NoteText
package import NotesModel
package import StrictJSON

/// Result of `revisions.held`: a page of the revisions of other stores that are no part of a note.
package struct HeldResult: WireResult {
    /// The page.
    package var page: HeldPage

    package init(_ page: HeldPage) {
        self.page = page
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.name("revisions")
            result.array(of: page.revisions) { $1.write(to: &$0) }
            result.member("quarantined", page.quarantined)
            result.member("waiting", page.waiting)
            result.member("next", page.next.map(HeldToken.text))
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        page = HeldPage(
            revisions: try value.required("revisions", Param.array(HeldRevision.init(reading:))),
            next: try value.required("next", Param.nullable(Param.heldPlace)),
            quarantined: try value.required("quarantined", Param.count), waiting: try value.required("waiting", Param.count))
    }
}

/// Result of `revisions.drop`.
package struct DropResult: WireResult, ReceivedObject {
    /// The number of revisions that were removed.
    package var dropped: Int
    package var received = ReceivedJSON<ArraySlice<UInt8>?>(nil)

    package init(dropped: Int) {
        self.dropped = dropped
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { $0.member("dropped", dropped) }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        dropped = try value.required("dropped", Param.count)
        received = ReceivedJSON(value.source)
    }
}

extension HeldRevision {
    /// Writes the revision as one JSON object.
    package func write(to writer: inout JSONWriter) {
        writer.object { revision in
            revision.member("note", note)
            revision.member("dot", dot)
            revision.member("reason", reason.map { ByteString($0) })
            revision.name("author")
            author.write(to: &revision)
            revision.member("modified", time)
            revision.member("inserts", inserts)
            revision.member("bytes", bytes)
        }
    }

    /// The revision as one JSON object.
    package var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }

    init(reading value: JSONValue) throws(ParamFault) {
        self.init(
            note: try value.required("note", Param.noteID), dot: try value.required("dot", Param.dot),
            reason: try value.required("reason", Param.nullable(Param.string))?.description,
            author: try value.required("author", Author.init(reading:)),
            time: try value.required("modified", Param.timestamp), inserts: try value.required("inserts", Param.string),
            bytes: try value.required("bytes", Param.count))
    }
}
