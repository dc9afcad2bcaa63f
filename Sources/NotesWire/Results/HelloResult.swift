package import Causality
package import NoteText
package import NotesMethods
package import NotesModel
package import StrictJSON

/// Result of `session.hello`, which registers the connection.
package struct HelloResult: WireResult {
    /// The protocol version of the session.
    package var protocolVersion: Int
    /// The daemon's program.
    package var server: ClientInfo
    /// Id of the store, which stays the same for the life of the store.
    package var store: ReplicaID
    /// Id of this run of the daemon. Each run is a separate replica.
    package var replica: ReplicaID
    /// The number of this connection in this run of the daemon.
    package var dependent: DependentID
    /// The user that the kernel reports for this connection.
    package var user: UserInfo
    /// The user's access.
    package var access: Access
    /// The unit of all text offsets in the session.
    package var positionEncoding: PositionEncoding
    /// The limits on this connection.
    package var limits: WireLimits
    /// Optional features of the protocol that the daemon has. A client uses a feature only if it is
    /// listed here.
    package var capabilities: [ByteString]
    /// The store's position at the time of the hello.
    package var cursor: Cursor

    package init(
        protocolVersion: Int = WireProtocol.version, server: ClientInfo, store: ReplicaID, replica: ReplicaID,
        dependent: DependentID, user: UserInfo, access: Access, positionEncoding: PositionEncoding, limits: WireLimits,
        capabilities: [ByteString] = [], cursor: Cursor
    ) {
        self.protocolVersion = protocolVersion
        self.server = server
        self.store = store
        self.replica = replica
        self.dependent = dependent
        self.user = user
        self.access = access
        self.positionEncoding = positionEncoding
        self.limits = limits
        self.capabilities = capabilities
        self.cursor = cursor
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.member("protocol", protocolVersion)
            result.name("server")
            server.write(to: &result)
            result.member("store", store)
            result.member("replica", replica)
            result.member("dependent", dependent.number)
            result.name("user")
            user.write(to: &result)
            result.member("access", access.rawValue)
            result.member("positionEncoding", positionEncoding.rawValue)
            result.name("limits")
            limits.write(to: &result)
            result.name("capabilities")
            result.array(of: capabilities) { $0.string($1) }
            result.member("cursor", cursor)
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        protocolVersion = try value.required("protocol", Param.count)
        server = try value.required("server", ClientInfo.init(reading:))
        store = try value.required("store", Param.replica)
        replica = try value.required("replica", Param.replica)
        dependent = DependentID(try value.required("dependent", Param.number))
        user = try value.required("user", UserInfo.init(reading:))
        access = try value.required("access", Param.word(Access.self))
        positionEncoding = try value.required("positionEncoding", Param.word(PositionEncoding.self))
        limits = try value.required("limits", WireLimits.init(reading:))
        capabilities = try value.required("capabilities", Param.array(Param.string))
        cursor = try value.required("cursor", Param.cursor)
    }
}

/// The user at the other end of a connection, from the peer credentials of the kernel.
package struct UserInfo: Hashable, Sendable {
    /// Numeric user id.
    package var uid: UInt32
    /// User name; the number as text if the system has no name.
    package var name: ByteString
    /// The person for whom the user connected, as `session.limit` named them; nil if it named none.
    package var person: ByteString?

    package init(uid: UInt32, name: ByteString, person: ByteString? = nil) {
        self.uid = uid
        self.name = name
        self.person = person
    }

    /// The names for people: `ada`, or `bob (www-data)` for a person for whom a user connected.
    package var shown: ByteString { person.map { ByteString("\($0) (\(name))") } ?? name }

    func write(to writer: inout JSONWriter) {
        writer.object { user in
            user.member("uid", uid)
            user.member("name", name)
            if let person { user.member("person", person) }
        }
    }

    init(reading value: JSONValue) throws(ParamFault) {
        uid = UInt32(try value.required("uid", Param.integer(in: 0...Int(UInt32.max))))
        name = try value.required("name", Param.string)
        person = try value.optional("person", Param.string)
    }
}

extension ClientInfo {
    func write(to writer: inout JSONWriter) {
        writer.object { client in
            client.member("name", name)
            if let version { client.member("version", version) }
        }
    }

    init(reading value: JSONValue) throws(ParamFault) {
        self.init(name: try value.required("name", Param.string), version: try value.optional("version", Param.string))
    }
}

extension WireLimits {
    func write(to writer: inout JSONWriter) {
        writer.object { limits in
            limits.member("maxLineBytes", lineBytesMax)
            limits.member("maxNoteBytes", noteBytesMax)
            limits.member("maxInFlight", inFlightMax)
            limits.member("maxDepth", depthMax)
            limits.member("maxResponseBytes", responseBytesMax)
        }
    }

    init(reading value: JSONValue) throws(ParamFault) {
        lineBytesMax = try value.required("maxLineBytes", Param.count)
        noteBytesMax = try value.required("maxNoteBytes", Param.count)
        inFlightMax = try value.required("maxInFlight", Param.count)
        depthMax = try value.required("maxDepth", Param.count)
        responseBytesMax = try value.required("maxResponseBytes", Param.count)
    }
}
