import EditSession
import NotesWire
import StrictJSON

/// Messages of the editor about the text of a buffer.
extension EditorHost {
    mutating func changed(_ change: BufferChange, _ now: Duration) throws(WireError) {
        guard let key = try known(change.buffer), let buffer = buffers[key] else { return }
        do throws(BufferFault) {
            give(try buffer.event(for: change, lines.positions), to: key, now)
        } catch {
            fault(key, error.reason, now)
        }
    }

    mutating func accepted(_ number: Int, _ edit: UInt64, _ changes: UInt64, _ now: Duration) throws(WireError) {
        guard let key = try known(number), let buffer = buffers[key] else { return }
        guard changes == buffer.session.changes else {
            return fault(key, "edit \(edit) was accepted after change \(changes), and change \(buffer.session.changes) came", now)
        }
        let origin = buffer.session.offer.flatMap { $0.number == edit ? $0.origin : nil }
        give(.accepted(edit), to: key, now)
        // Places in the version that is shown now can be told.
        if let buffer = buffers[key] {
            if !buffer.people.isEmpty { send(lines.people(buffer)) }
            if !buffer.state.conflicts.isEmpty { send(lines.state(buffer)) }
        }
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

    mutating func selected(
        _ number: Int, _ changes: UInt64, _ selection: SelectedPlaces, _ now: Duration
    ) throws(WireError) {
        // A selection of an older text says nothing about this one.
        guard let key = try known(number), let buffer = buffers[key], changes == buffer.session.changes else { return }
        do throws(BufferFault) {
            let head = try buffer.offset(selection.head, in: buffer.session.text, lines.positions, "selection")
            give(.moved(caret: head), to: key, now)
        } catch {
            // An edit that the editor has accepted may be on its way.
        }
    }

    mutating func moved(_ presence: PresenceChanged, in key: Key) {
        guard presence.dependent != daemon?.dependent else { return }
        let isKnown = buffers[key]?.people[presence.dependent] != nil
        buffers[key]?.people[presence.dependent] = presence.place.map {
            HostBuffer.Person(user: presence.user.name, label: presence.label, place: $0)
        }
        guard isKnown || presence.place != nil, let buffer = buffers[key], buffer.closing == nil else { return }
        send(lines.people(buffer))
    }
}
