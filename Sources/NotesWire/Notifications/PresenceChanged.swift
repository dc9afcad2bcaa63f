package import Causality
package import NotesModel

/// `presence.changed`: where somebody is in a note, or that he is there no more. It belongs to no watch and has no `seq`.
package struct PresenceChanged: Hashable, Sendable {
    package var note: NoteID
    /// Who: a connection, and what it said of itself.
    package var dependent: DependentID
    package var label: ByteString?
    package var user: UserInfo
    /// Nil where he is there no more.
    package var place: PositionObject?

    package init(note: NoteID, dependent: DependentID, label: ByteString?, user: UserInfo, place: PositionObject?) {
        self.note = note
        self.dependent = dependent
        self.label = label
        self.user = user
        self.place = place
    }

    package func line() -> [UInt8] {
        .notification("presence.changed", writeMembers)
    }

    package func writeMembers(to params: inout JSONWriter) {
        params.member("note", note.description)
        params.member("dependent", dependent.number)
        params.member("label", label)
        params.name("user")
        user.write(to: &params)
        place.writeMembers(to: &params)
    }

    init(reading params: JSONValue) throws(ParamFault) {
        note = try params.required("note", Param.noteID)
        dependent = DependentID(try params.required("dependent", Param.number))
        label = try params.required("label", Param.nullable(Param.string))
        user = try params.required("user", UserInfo.init(reading:))
        place = try PositionObject.read(params)
    }
}

/// What somebody shows of a note, and what is selected there.
package struct PositionObject: Hashable, Sendable {
    /// Nothing where it was not said.
    package var version: Version
    /// In the text at the version; nil where the note is open and no more is known.
    package var selection: SelectionObject?

    package init(version: Version, selection: SelectionObject?) {
        self.version = version
        self.selection = selection
    }

    static func read(_ value: JSONValue) throws(ParamFault) -> PositionObject? {
        let version = try value.required("version", Param.nullable(Param.version))
        let selection = try value.required("selection", Param.nullable(SelectionObject.init(reading:)))
        return version.map { PositionObject(version: $0, selection: selection) }
    }
}

extension PositionObject? {
    func writeMembers(to writer: inout JSONWriter) {
        writer.member("version", self.map { ByteString($0.version.description) })
        writer.name("selection")
        if let selection = self?.selection { selection.write(to: &writer) } else { writer.null() }
    }
}

/// A range of a text, in the session's encoding. A cursor starts where it ends.
package struct SelectionObject: Hashable, Sendable {
    package var start: Int
    package var end: Int

    package init(start: Int, end: Int) {
        self.start = start
        self.end = end
    }

    func write(to writer: inout JSONWriter) {
        writer.object { selection in
            selection.member("start", start)
            selection.member("end", end)
        }
    }

    /// As a client states it: a member that is not known is refused.
    init(stated value: JSONValue) throws(ParamFault) {
        var selection = try ParamReader(value)
        start = try selection.required("start", Param.offset)
        end = try selection.required("end", Param.offset)
        try selection.finish()
    }

    init(reading value: JSONValue) throws(ParamFault) {
        start = try value.required("start", Param.count)
        end = try value.required("end", Param.count)
    }
}
