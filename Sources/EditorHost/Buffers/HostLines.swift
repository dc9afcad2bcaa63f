import Causality
import EditSession
import NoteTasks
import NoteText
import NotesMethods
import NotesModel
import NotesWire
import StrictJSON
import TextMerge

/// The lines that a host sends to an editor.
struct HostLines {
    var positions = EditorPositions.inBytes

    // MARK: Responses

    static func result(_ id: RequestID, _ write: (inout JSONWriter) -> Void = { $0.object { _ in } }) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { line in
            line.member("jsonrpc", "2.0")
            line.name("id")
            id.write(to: &line)
            line.name("result")
            write(&line)
        }
        writer.endLine()
        return writer.bytes
    }

    /// The error of a request that needs the daemon, which does not answer.
    static func offline(_ id: RequestID, draft: Bool = false) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { line in
            line.member("jsonrpc", "2.0")
            line.name("id")
            id.write(to: &line)
            line.name("error")
            line.object { error in
                error.member("code", 7002)
                error.member("message", "the daemon does not answer" + (draft ? "; the text is in a draft" : ""))
                error.name("data")
                error.object { data in
                    data.member("kind", "offline")
                    data.member("retryable", true)
                    data.member("draft", draft)
                }
            }
        }
        writer.endLine()
        return writer.bytes
    }

    static func failure(_ id: RequestID, _ failure: HostFailure) -> [UInt8] {
        switch failure {
        case .refused(let error): error.line(id: id)
        case .offline: offline(id)
        }
    }

    func hello(_ id: RequestID, _ hello: HelloResult?) -> [UInt8] {
        Self.result(id) { result in
            result.object { object in
                object.member("protocol", AttachProtocol.version)
                object.member("daemon", hello != nil)
                if let hello { Self.write(hello, to: &object) }
            }
        }
    }

    /// Writes the members that say what the daemon is.
    private static func write(_ hello: HelloResult, to object: inout JSONWriter) {
        object.name("user")
        object.string(hello.user.name.utf8)
        object.member("access", hello.access.rawValue)
        object.member("store", hello.store)
        object.name("capabilities")
        object.array(of: hello.capabilities) { $0.string($1.utf8) }
    }

    func opened(_ id: RequestID, _ buffer: HostBuffer, writer: String, _ note: OpenedNote, isResumed: Bool) -> [UInt8] {
        Self.result(id) { result in
            result.object { opened in
                opened.member("buffer", buffer.number)
                opened.member("id", buffer.session.note)
                if !isResumed { opened.member("text", text: buffer.shown) }
                opened.member("version", buffer.session.version)
                opened.member("writer", writer)
                opened.member("lineEnds", buffer.lineEnds.areCRLF ? "crlf" : "lf")
                if note.existed { opened.member("existed", true) }
                if note.draft != nil || note.createdBefore != nil { opened.member("draft", true) }
                write(buffer, to: &opened)
            }
        }
    }

    /// The response to an opening with a text that the daemon does not know. The buffer is not open.
    func parted(_ id: RequestID, _ buffer: Int, _ note: NoteObject) -> [UInt8] {
        Self.result(id) { result in
            result.object { opened in
                opened.member("buffer", buffer)
                opened.member("id", note.head.id)
                opened.name("parted")
                opened.object { parted in
                    parted.member("text", text: note.text ?? [])
                    parted.member("version", note.head.version)
                }
            }
        }
    }

    // MARK: Notifications

    static func notification(_ method: StaticString, _ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { line in
            line.member("jsonrpc", "2.0")
            line.name("method")
            line.string(method)
            line.name("params")
            line.object(write)
        }
        writer.endLine()
        return writer.bytes
    }

    static func daemon(_ hello: HelloResult?) -> [UInt8] {
        notification("attach.daemon") { params in
            params.member("up", hello != nil)
            if let hello { write(hello, to: &params) }
        }
    }

    /// A change of a note; nil if changes may have been missed.
    static func listed(_ note: NoteObject?) -> [UInt8] {
        notification("attach.note") { params in
            params.name("note")
            if let note { note.write(to: &params) } else { params.null() }
        }
    }

    /// An edit for the text that the editor shows.
    func edit(_ buffer: HostBuffer, _ offer: EditOffer) -> [UInt8] {
        let text = buffer.shown
        let shown = buffer.lineEnds.shown(offer.edits, in: buffer.session.text)
        let new = shown.applied(to: text)
        let places = positions.places(ofBytes: shown.flatMap { [$0.start, $0.end] }, in: text)
        return Self.notification("buffer.edit") { params in
            params.member("buffer", buffer.number)
            params.member("k", offer.number)
            params.member("n", offer.changes)
            params.name("edits")
            params.array { edits in
                for (index, edit) in shown.enumerated() {
                    edits.array { parts in
                        places[2 * index].write(to: &parts)
                        places[2 * index + 1].write(to: &parts)
                        parts.string(edit.replacement)
                    }
                }
            }
            params.member("length", positions.count(new))
            params.member("version", offer.version)
            params.member("origin", "\(offer.origin)")
            guard let caret = offer.caret else { return }
            let later = offer.edits.applied(to: buffer.session.text)
            let place = positions.places(ofBytes: buffer.lineEnds.shown([caret], in: later), in: new)[0]
            params.name("selection")
            params.array { ends in
                place.write(to: &ends)
                place.write(to: &ends)
            }
        }
    }

    static func saved(_ buffer: Int, changes: UInt64, edits: UInt64, _ version: Version) -> [UInt8] {
        notification("buffer.saved") { params in
            params.member("buffer", buffer)
            params.member("n", changes)
            params.member("k", edits)
            params.member("version", version)
        }
    }

    static func fault(_ buffer: Int, _ reason: String) -> [UInt8] {
        notification("buffer.fault") { params in
            params.member("buffer", buffer)
            params.member("reason", reason)
        }
    }

    static func notice(_ buffer: Int, _ kind: String, _ sentence: String) -> [UInt8] {
        notification("buffer.notice") { params in
            params.member("buffer", buffer)
            params.member("kind", kind)
            params.member("text", sentence)
        }
    }

    func state(_ buffer: HostBuffer) -> [UInt8] {
        Self.notification("buffer.state") { params in
            params.member("buffer", buffer.number)
            write(buffer, to: &params)
        }
    }

    func people(_ buffer: HostBuffer) -> [UInt8] {
        Self.notification("buffer.people") { params in
            params.member("buffer", buffer.number)
            params.name("people")
            params.array(of: buffer.others(positions)) { people, other in
                people.object { person in
                    person.member("user", text: other.person.user.utf8)
                    person.name("label")
                    if let label = other.person.label { person.string(label.utf8) } else { person.null() }
                    person.name("at")
                    guard let ends = other.ends else { return person.null() }
                    ends[1].write(to: &person)
                    guard ends[0] != ends[1] else { return }
                    person.name("selection")
                    person.array(of: ends) { $1.write(to: &$0) }
                }
            }
        }
    }

    /// Writes the members that say what the note is besides its text.
    private func write(_ buffer: HostBuffer, to object: inout JSONWriter) {
        object.name("name")
        if let name = buffer.state.name { object.string(name.utf8) } else { object.null() }
        object.name("deleted")
        if let user = buffer.state.deletedBy {
            object.object { $0.member("by", text: user.utf8) }
        } else {
            object.null()
        }
        object.name("conflicts")
        object.array(of: buffer.conflicts) { conflicts, entry in
            conflicts.object { conflict in
                conflict.member("id", entry.conflict.id)
                conflict.member("kind", entry.conflict.kind.rawValue)
                conflict.name("authors")
                conflict.array(of: entry.conflict.detail?.sides.map(\.author) ?? []) { authors, author in
                    authors.string((author.label ?? author.user).utf8)
                }
                conflict.name("range")
                guard let range = entry.range else { return conflict.null() }
                let places = buffer.places(of: [range.lowerBound, range.upperBound], positions)
                conflict.array(of: places) { $1.write(to: &$0) }
            }
        }
    }
}
