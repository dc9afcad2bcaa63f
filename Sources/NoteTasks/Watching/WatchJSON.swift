import Causality
package import NotesClient
import NotesModel
import NotesWire
import StrictJSON

/// Formats the events of `watch --json`: one object per event.
package enum WatchJSON {
    /// The event as a JSON object on one line.
    package static func object(_ event: WatchEvent) -> [UInt8]? {
        var writer = JSONWriter()
        writer.object { line in
            line.member("event", word(event))
            if let cursor = event.cursor { line.member("cursor", CursorText.text(cursor)) }
            switch event {
            case .started(let start):
                line.member("resumed", start.isResumed)
                line.member("reset", start.isReset)
            case .changed(let change): write(change, to: &line)
            case .reset(let reset): line.member("reason", reset.reason)
            case .presence(let presence): presence.writeMembers(to: &line)
            case .synced, .bookmark, .interrupted: break
            }
        }
        return writer.bytes
    }

    private static func word(_ event: WatchEvent) -> String {
        switch event {
        case .started: "started"
        case .changed: "changed"
        case .synced: "synced"
        case .bookmark: "bookmark"
        case .reset: "reset"
        case .presence: "presence"
        case .interrupted: "interrupted"
        }
    }

    private static func write(_ change: NoteChanged, to line: inout JSONWriter) {
        line.member("change", change.change.rawValue)
        line.name("note")
        switch change.note {
        case .shown(let note): line.raw(note.json)
        case .left(let id, let version):
            line.object { note in
                note.member("id", id.description)
                note.member("version", version.description)
            }
        }
        if change.changes > 1 { line.member("coalesced", change.changes) }
        guard let origin = change.origin else { return }
        line.name("origin")
        line.object { object in
            object.member("dependent", origin.dependent.number)
            object.member("label", origin.label)
        }
    }
}
