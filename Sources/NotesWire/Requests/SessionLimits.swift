import StrictJSON

/// What one connection may do, within the rights of its user: everything, or less if `session.limit`
/// narrowed it. The limits hold until the connection ends and are never widened.
package struct SessionLimits: Hashable, Sendable {
    /// The highest access; nil for that of the user.
    package var access: HelloResult.Access?
    package var methods: Methods

    /// The methods that a connection may call.
    package enum Methods: String, CaseIterable, Hashable, Sendable {
        case all
        /// Those that `Method.isPartOfExchange` names.
        case exchange
    }

    package init(access: HelloResult.Access? = nil, methods: Methods = .all) {
        self.access = access
        self.methods = methods
    }

    /// Whether the connection has all rights of its user.
    package var isNone: Bool { self == SessionLimits() }

    /// Narrows these limits to what both permit.
    package mutating func narrow(to other: SessionLimits) {
        if let limit = other.access { access = min(access ?? limit, limit) }
        if other.methods == .exchange { methods = .exchange }
    }

    /// The access that the connection has, given that of its user.
    package func access(of user: HelloResult.Access) -> HelloResult.Access { min(access ?? user, user) }

    /// Whether the connection may call a method, if its access permits it.
    package func permits(_ method: Method) -> Bool { methods == .all || method.isPartOfExchange }
}

extension Method {
    /// Whether the exchange of revisions between two stores uses the method. No other method is
    /// available to a connection that is limited to the exchange, so new methods are not either.
    package var isPartOfExchange: Bool {
        switch self {
        case .hello, .limit, .ping, .discover, .knownRevisions, .watchRevisions, .proceed, .adopt, .listPeers: true
        default: false
        }
    }
}

// MARK: Reading and writing

extension SessionLimits {
    init(_ params: inout ParamReader) throws(ParamFault) {
        access = try params.optional("access", Param.word(HelloResult.Access.self))
        methods = try params.optional("methods", Param.word(Methods.self)) ?? .all
    }

    func writeMembers(to params: inout JSONWriter) {
        if let access { params.member("access", access.rawValue) }
        if methods != .all { params.member("methods", methods.rawValue) }
    }
}
