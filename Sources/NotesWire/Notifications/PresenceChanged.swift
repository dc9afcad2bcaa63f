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
