package import NotesMethods
package import StrictJSON

/// Result of `session.limit`: what the connection may do from now on.
package struct LimitResult: WireResult {
    package var access: Access
    package var methods: SessionLimits.Methods

    package init(access: Access, methods: SessionLimits.Methods) {
        self.access = access
        self.methods = methods
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.member("access", access.rawValue)
            result.member("methods", methods.rawValue)
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        access = try value.required("access", Param.word(Access.self))
        methods = try value.required("methods", Param.word(SessionLimits.Methods.self))
    }
}
