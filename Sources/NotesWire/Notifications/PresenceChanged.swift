package import Causality
package import NoteText
package import NotesModel
package import StrictJSON

/// `presence.changed`: a user moved in a note, or left it. The notification belongs to no watch and
/// has no `seq`.
package struct PresenceChanged: Hashable, Sendable {
    /// The note that the user is in, or left.
    package var note: NoteID
    /// The user's connection.
    package var dependent: DependentID
    /// The label from the connection's hello.
    package var label: ByteString?
    /// The user that the kernel reports for the connection.
    package var user: UserInfo
    /// The user's position; nil if the user left the note.
    package var place: PositionObject?

    package init(note: NoteID, dependent: DependentID, label: ByteString?, user: UserInfo, place: PositionObject?) {
        self.note = note
        self.dependent = dependent
        self.label = label
        self.user = user
        self.place = place
    }

    /// The notification line, including its LF.
    package func line() -> [UInt8] {
        .notification("presence.changed", writeMembers)
    }

    /// Writes the members of `params`.
    package func writeMembers(to params: inout JSONWriter) {
        params.member("note", note)
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

/// The version of a note that a user sees, and the selection in it.
package struct PositionObject: Hashable, Sendable {
    /// The version; `Version.nothing` if the user's client did not say.
    package var version: Version
    /// The selection in the text of `version`; nil if nothing is selected or the client did not
    /// say.
    package var selection: Selection?

    package init(version: Version, selection: Selection?) {
        self.version = version
        self.selection = selection
    }

    static func read(_ value: JSONValue) throws(ParamFault) -> PositionObject? {
        let version = try value.required("version", Param.nullable(Param.version))
        let selection = try value.required("selection", Param.nullable(Selection.init(reading:)))
        return version.map { PositionObject(version: $0, selection: selection) }
    }
}

extension PositionObject? {
    func writeMembers(to writer: inout JSONWriter) {
        writer.member("version", self?.version)
        writer.name("selection")
        if let selection = self?.selection { selection.write(to: &writer) } else { writer.null() }
    }
}

extension Selection {
    func write(to writer: inout JSONWriter) {
        writer.object { selection in
            selection.member("start", start)
            selection.member("end", end)
        }
    }

    /// Reads a selection in a request and rejects unknown members.
    init(stated value: JSONValue) throws(ParamFault) {
        var selection = try ParamReader(value)
        self.init(start: try selection.required("start", Param.offset), end: try selection.required("end", Param.offset))
        try selection.finish()
    }

    init(reading value: JSONValue) throws(ParamFault) {
        self.init(start: try value.required("start", Param.count), end: try value.required("end", Param.count))
    }
}
