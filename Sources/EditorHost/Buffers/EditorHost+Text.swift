import EditSession
import NotesModel
import NotesWire
import StrictJSON

/// Messages of the editor about the text of a buffer.
extension EditorHost {
    mutating func changed(_ change: BufferChange, _ now: Duration) throws(WireError) {
        guard let key = try known(change.buffer), let buffer = buffers[key] else { return }
        do throws(BufferFault) {
            let event = try buffer.event(for: change, lines.positions)
            enter(key, now)
            give(event, to: key, now)
        } catch {
            fault(key, error.reason, now)
        }
    }

    /// Reports where the conflicts and the others are in a version that the editor shows now.
    mutating func tellPlaces(_ key: Key) {
        guard let buffer = buffers[key], buffer.closing == nil, buffer.placesOf != buffer.session.version else { return }
        buffers[key]?.placesOf = buffer.session.version
        if !buffer.state.conflicts.isEmpty { send(lines.state(buffer)) }
        if buffer.people.values.contains(where: { $0.place.version == buffer.session.version }) { send(lines.people(buffer)) }
    }

    /// Answers a request that needs the daemon, for a note whose text was to be kept.
    mutating func sendOffline(_ id: RequestID, _ note: NoteID) {
        guard !hasEnded else { return }
        actions.append(.sendAfterDraft(note, kept: HostLines.offline(id, draft: true), failed: HostLines.offline(id)))
    }

    /// Tells the user once that a text is nowhere but in the editor.
    mutating func tellDraftFailed(_ note: NoteID, _ reason: String) {
        for (key, buffer) in buffers where buffer.session.note == note && buffer.closing == nil && !buffer.hasToldOfDraft {
            buffers[key]?.hasToldOfDraft = true
            send(HostLines.notice(buffer.number, "draft", "The draft of the unsaved text cannot be written: \(reason)"))
        }
    }

    mutating func accepted(_ number: Int, _ edit: UInt64, _ changes: UInt64, _ now: Duration) throws(WireError) {
        guard let key = try known(number), let buffer = buffers[key] else { return }
        guard changes == buffer.session.changes else {
            return fault(key, "edit \(edit) was accepted after change \(changes), and change \(buffer.session.changes) came", now)
        }
        let origin = buffer.session.offer.flatMap { $0.number == edit ? $0.origin : nil }
        give(.accepted(edit), to: key, now)
        guard origin == .undo || origin == .redo, let id = buffer.steps.first else { return }
        buffers[key]?.steps.removeFirst()
        send(
            HostLines.result(id) { result in
                result.object { step in
                    step.member("done", true)
                    if buffer.isBothKept { step.member("bothKept", true) }
                }
            })
        buffers[key]?.isBothKept = false
    }
}
