package import NoteText
package import NotesMethods
package import NotesModel
package import StrictJSON

/// Result of `session.limit`: what the connection may do from now on.
package struct LimitResult: WireResult {
    package var access: Access
    package var methods: SessionLimits.Methods

    /// The person for whom the connection is; nil if it named none.
    package var user: ByteString?
    /// The only note that the connection reaches; nil for all notes.
    package var note: NoteID?

    package init(access: Access, methods: SessionLimits.Methods, user: ByteString? = nil, note: NoteID? = nil) {
        self.access = access
        self.methods = methods
        self.user = user
        self.note = note
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.member("access", access.rawValue)
            result.member("methods", methods.rawValue)
            if let user { result.member("user", user) }
            if let note { result.member("note", note) }
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        access = try value.required("access", Param.word(Access.self))
        methods = try value.required("methods", Param.word(SessionLimits.Methods.self))
        user = try value.optional("user", Param.string)
        note = try value.optional("note", Param.noteID)
    }
}
