import EditSession
import NotesWire

/// Where the user is, and where the others are.
extension EditorHost {
    mutating func selected(
        _ number: Int, _ changes: UInt64, _ selection: SelectedPlaces?, _ now: Duration
    ) throws(WireError) {
        guard let key = try known(number), let buffer = buffers[key] else { return }
        guard let selection else {
            leave(focus: key)
            return
        }
        enter(key, now)
        // A selection of an older text says nothing about this one.
        guard changes == buffer.session.changes else { return }
        do throws(BufferFault) {
            let (anchor, head) = (
                try buffer.offset(selection.anchor, in: buffer.session.text, lines.positions, "selection"),
                try buffer.offset(selection.head, in: buffer.session.text, lines.positions, "selection")
            )
            give(.moved(caret: head, anchor: anchor == head ? nil : anchor), to: key, now)
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

    /// The user is in this buffer now.
    mutating func enter(_ key: Key, _ now: Duration) {
        guard focus != key else { return }
        focus = key
        give(.entered, to: key, now)
    }

    /// The user is not in this buffer any more.
    mutating func leave(focus key: Key) {
        guard focus == key else { return }
        focus = nil
        actions.append(.absent)
    }
}
