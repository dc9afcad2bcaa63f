/// What one connection may do, within the rights of its user: everything, or less if `session.limit`
/// narrowed it. The limits hold until the connection ends and are never widened.
package struct SessionLimits: Hashable, Sendable {
    /// The highest access; nil for that of the user.
    package var access: Access?
    package var methods: Methods

    /// The methods that a connection may call.
    package enum Methods: String, CaseIterable, Hashable, Sendable {
        case all
        /// Those that have `Method.Traits.exchange`.
        case exchange
    }

    package init(access: Access? = nil, methods: Methods = .all) {
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
    package func access(of user: Access) -> Access { min(access ?? user, user) }

    /// Whether the connection may call a method, if its access permits it.
    package func permits(_ method: Method) -> Bool { methods == .all || method.has(.exchange) }
}
