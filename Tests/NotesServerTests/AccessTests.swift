import Glibc
import NIOCore
import NIOEmbedded
import NoteText
import NotesMethods
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import NotesServer

/// Access levels, and limits that keep one user from taking all resources.
@Suite struct AccessTests {
    private let rules = AccessRules(
        owner: 1_000, read: AccessRules.Admitted(groups: [50]), write: AccessRules.Admitted(users: [7], groups: [51]),
        sync: AccessRules.Admitted(users: [6]), admin: AccessRules.Admitted(users: [9]))

    @Test(
        arguments: [
            (1_000, [], Access.admin), (0, [], .admin), (9, [50], .admin), (7, [50], .write), (6, [50, 51], .sync),
            (8, [50, 51], .write),
            (8, [1, 50], .read),
            (8, [1], nil), (50, [], nil), (8, [1_000], nil),
        ] as [(UInt32, [UInt32], Access?)])
    func client_hasHighestListedAccess(user: UInt32, groups: [UInt32], expected: Access?) {
        #expect(rules.access(of: ClientCredentials(user: user, groups: groups)) == expected)
    }

    /// Every method, access and pair of limits. A second user or note is refused as a whole.
    @Test func limits_narrow_andNeverWiden() {
        let exchange: Set = [
            "session.hello", "session.limit", "session.ping", "rpc.discover", "revisions.known", "revisions.watch",
            "revisions.proceed", "revisions.complete", "revisions.adopt", "peers.list", "file.begin", "file.put", "file.get",
            "files.have",
            "files.list",
        ]
        let ofOneNote: Set = [
            "session.hello", "session.limit", "session.ping", "rpc.discover", "note.get", "note.save", "note.edit",
            "note.history", "notes.watch", "notes.unwatch", "presence.set",
        ]
        let otherNoteID = NoteID(at: Timestamp(milliseconds: 2), random: (1, 1))
        let named: [(ByteString?, NoteID?)] = [(nil, nil), ("ada", nil), (nil, testNoteID), ("eve", otherNoteID)]
        let all = ([nil] + Access.allCases).flatMap { access in
            SessionLimits.Methods.allCases.flatMap { methods in
                named.map { SessionLimits(access: access, methods: methods, user: $0.0, note: $0.1) }
            }
        }
        for (user, first, second) in Access.allCases.flatMap({ user in
            all.flatMap { first in all.map { (user, first, $0) } }
        }) {
            var rights = SessionRights(userAccess: user, isPrivileged: true)
            #expect(rights.refusal(of: first, isRegistered: false) == nil)
            _ = rights.narrow(to: first)
            let isOther =
                first.user != nil && second.user != nil && first.user != second.user
                || first.note != nil && second.note != nil && first.note != second.note
            #expect(rights.refusal(of: second, isRegistered: false).map { $0.kind == .permissionDenied } ?? false == isOther)
            let isLate = second.user != nil && second.user != first.user || second.note != nil && second.note != first.note
            #expect((rights.refusal(of: second, isRegistered: true) != nil) == isLate)
            guard !isOther else { continue }
            let result = rights.narrow(to: second)
            let least = [user, first.access, second.access].compactMap { $0 }.min()
            let isExchange = [first.methods, second.methods].contains(.exchange)
            #expect(result.access == least && result.methods == (isExchange ? .exchange : .all))
            #expect(result.user == first.user ?? second.user && result.note == first.note ?? second.note)
            for method in Method.allCases {
                let isPermitted =
                    method.access <= result.access && (!isExchange || exchange.contains(method.name))
                    && (result.note == nil || ofOneNote.contains(method.name))
                #expect(rights.permits(method) == isPermitted, "\(method) for \(user) within \(first) and \(second)")
            }
        }
    }

    @Test func directoryOfABackup_needsThePrivilegedUserWithoutLimits() {
        let elsewhere = Call.backup(to: "/home/ada/.ssh/authorized_keys2")
        var own = SessionRights(userAccess: .admin, isPrivileged: true)
        let other = SessionRights(userAccess: .admin, isPrivileged: false)
        #expect(own.refusal(of: elsewhere) == nil && other.refusal(of: elsewhere) == .backupDirectoryDenied)
        #expect(other.refusal(of: .backup(to: "notes.db")) == nil)
        _ = own.narrow(to: SessionLimits(access: .admin))
        #expect(own.refusal(of: elsewhere) == .backupDirectoryDenied && own.refusal(of: .backup(to: nil)) == nil)
    }

    @Test func openAccess_includesEveryUser() {
        let open = AccessRules(owner: 1, read: AccessRules.Admitted(isEverybody: true))
        #expect(open.access(of: ClientCredentials(user: 4_000_000_000)) == .read)
    }

    @Test func names_areUsersNumbersAndGroups() {
        #expect(Principal("*") == .everybody)
        #expect(Principal("ada") == .user("ada"))
        #expect(Principal("@staff") == .group("staff"))
        for wrong in ["", "@", "@@a", "a b", "a,b", "a:b", "a\n", "**", "a/b", String(repeating: "x", count: 257)] {
            #expect(Principal(wrong) == nil, "\(wrong)")
        }
        var unknown: [String] = []
        let principals = PrincipalCache()
        let names = ["root", "12", "@root", "@34", "no-such-user", "@no-such-group"]
        let admitted = AccessRules.Admitted(names, principals: principals) { name, mayBeThere in
            unknown.append(name)
            #expect(!mayBeThere)
        }
        #expect(admitted == AccessRules.Admitted(users: [0, 12], groups: [0, 34]))
        #expect(unknown == ["no-such-user", "@no-such-group"])
        #expect(AccessRules.Admitted(["*"], principals: principals) { _, _ in }.isEverybody)
    }

    /// A failed lookup removes no access; a lookup that finds no such name does.
    @Test func failedNameLookup_keepsFormerID() {
        let principals = PrincipalCache()
        #expect(principals.id(of: "ada", as: .unknown) == nil)
        #expect(principals.id(of: "ada", as: .id(7)) == 7)
        #expect(principals.id(of: "ada", as: .unknown) == 7)
        #expect(principals.id(of: "ada", as: .id(8)) == 8)
        #expect(principals.id(of: "ada", as: .nothing) == nil)
        #expect(principals.id(of: "ada", as: .unknown) == nil)
    }

    /// Without a lookup, cached ids apply, and a user who is removed from the list loses access.
    @Test func withoutLookup_namesKeepFormerIDs() {
        let principals = PrincipalCache()
        _ = AccessRules.Admitted(["root", "@root"], principals: principals) { _, _ in }
        var unsure: [String] = []
        let admitted = AccessRules.Admitted(["root", "7", "bin"], principals: principals, asks: false) { name, mayBeThere in
            if mayBeThere { unsure.append(name) }
        }
        #expect(admitted == AccessRules.Admitted(users: [0, 7]))
        #expect(unsure == ["bin"])
        #expect(principals.beginAsking())
        #expect(!principals.beginAsking(), "one is waited for")
        principals.endAsking()
        #expect(principals.beginAsking())
    }

    @Test func kernelCredentials_haveUserAndGroups() throws {
        var ends: [CInt] = [0, 0]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        let client = try #require(ClientCredentials(of: ends[0]))
        #expect(client.user == geteuid())
        #expect(client.groups.first == getegid())
        var own = [gid_t](repeating: 0, count: 65_536)
        let count = getgroups(CInt(own.count), &own)
        #expect(Set(client.groups) == Set(own.prefix(Int(count))).union([getegid()]))
        #expect(ClientCredentials(of: -1) == nil)
    }

    @Test func users_areShownByNameOrNumber() {
        #expect(User(id: 0).name == "root")
        #expect(User(id: 4_123_456_789).name == "4123456789")
    }

    // MARK: One connection

    @Test func reader_isRefusedWrites_andKeepsReading() {
        var connection = DrivenConnection.registered(access: .read)
        connection.receive(line(2, "note.create", #"{"text":"x"}"#) + line(3, "daemon.config") + line(4, "daemon.status"))
        #expect(connection.written == ["refused 2 permission_denied", "refused 3 permission_denied"])
        #expect(connection.submitted.count == 1)
    }

    @Test func writer_isNoAdministrator() {
        var connection = DrivenConnection.registered(access: .write)
        connection.receive(line(2, "daemon.config") + line(3, "note.create", #"{"text":"x"}"#))
        #expect(connection.written == ["refused 2 permission_denied"])
        #expect(connection.submitted.count == 1)
    }

    /// A backup contains text that its author chose. At a path of the author's choice, it could be
    /// a file that the daemon's user obeys, such as a list of SSH keys.
    @Test func foreignAdministrator_mayNotChooseBackupPath() {
        var connection = DrivenConnection.registered(access: .admin, owner: testUser.id + 1)
        for (id, path) in ["/a", "/", "/a/b", "/a/"].enumerated() {
            connection.receive(line(id + 2, "daemon.backup", #"{"path":"\#(path)"}"#))
            #expect(connection.written.last == "refused \(id + 2) permission_denied")
        }
        connection.receive(line(6, "daemon.backup", #"{"path":"mine.db"}"#) + line(7, "daemon.backup"))
        #expect(connection.submitted.count == 2)
        var own = DrivenConnection.registered(access: .admin)
        own.receive(line(2, "daemon.backup", #"{"path":"/a"}"#))
        #expect(own.submitted.count == 1)
    }

    @Test func everyMethod_needsMatchingAccess() {
        let writes: Set<Method> = [.createNote, .saveNote, .editNote, .deleteNote]
        for method in Method.allCases where writes.contains(method) { #expect(method.access == .write) }
        #expect(Method.config.access == .admin && Method.dropHeld.access == .admin)
        #expect(Method.getNote.access == .read)
        #expect(Access.read < .write && .write < .admin)
    }

    @Test func revokedAccess_appliesFromNextRequest() {
        var connection = DrivenConnection.registered(access: .write)
        connection.receive(line(2, "note.create", #"{"text":"x"}"#))
        connection.happened { $0.accessChanged(to: .read) }
        connection.receive(line(3, "note.create", #"{"text":"x"}"#))
        connection.response(2)
        #expect(connection.written == ["response 2", "refused 3 permission_denied"])
        connection.happened { $0.accessChanged(to: .write) }
        connection.receive(line(4, "note.create", #"{"text":"x"}"#))
        #expect(connection.submitted.count == 2)
    }

    @Test func revokedReadAccess_endsSessionAfterPendingResponses() {
        var connection = DrivenConnection.registered(access: .read)
        connection.receive(line(2, "daemon.status"))
        connection.happened { $0.accessChanged(to: nil) }
        connection.receive(line(3, "daemon.status"))
        #expect(connection.written.isEmpty)
        connection.response(2)
        #expect(connection.written == ["response 2", "closing"])
        #expect(connection.done == ["closeOutput"])
    }

    // MARK: Many connections

    @Test func user_hasAShareOfTheConnections() throws {
        let fixture = HandlerFixture {
            $0.limits.connectionsMax = 10
            $0.access = AccessRules(owner: 1, superuser: nil, write: AccessRules.Admitted(isEverybody: true))
        }
        let bob = User(id: 2, name: "bob")
        let channels = try (0..<5).map { _ in try fixture.connectRegistered(as: bob) }
        #expect(throws: ChannelError.self) { try fixture.connect(as: bob) }
        _ = try fixture.connectRegistered(as: User(id: 3, name: "eve"))
        channels[0].close(promise: nil)
        fixture.loop.run()
        _ = try fixture.connectRegistered(as: bob)
        for _ in 0..<4 { _ = try fixture.connectRegistered(as: User(id: 1, name: "owner")) }
        #expect(throws: ChannelError.self) { try fixture.connect(as: User(id: 1, name: "owner")) }
    }

    @Test func user_hasAShareOfTheRequests() throws {
        let fixture = HandlerFixture {
            $0.limits.userInFlightMax = 3
            $0.access = AccessRules(owner: 1, superuser: nil, write: AccessRules.Admitted(isEverybody: true))
        }
        let bob = User(id: 2, name: "bob")
        let first = try fixture.connectRegistered(as: bob)
        let second = try fixture.connectRegistered(as: bob)
        try HandlerFixture.receive((1...3).map { line($0, "daemon.status") }.joined(), on: first)
        try HandlerFixture.receive(line(4, "daemon.status"), on: second)
        #expect(try HandlerFixture.output(of: second).contains("overloaded"))
        let other = try fixture.connectRegistered(as: User(id: 3, name: "eve"))
        try HandlerFixture.receive(line(5, "daemon.status"), on: other)
        #expect(try !HandlerFixture.output(of: other).contains("overloaded"))
        first.close(promise: nil)
        fixture.loop.run()
        try HandlerFixture.receive(line(6, "daemon.status"), on: second)
        #expect(try !HandlerFixture.output(of: second).contains("overloaded"), "who is gone waits for nothing any more")
    }

    @Test func reload_appliesLimitsToOpenConnections() throws {
        let fixture = HandlerFixture {
            $0.access = AccessRules(owner: 1, superuser: nil, write: AccessRules.Admitted(isEverybody: true))
        }
        let bob = try fixture.connectRegistered(as: User(id: 2, name: "bob"))
        var configuration = fixture.configuration
        configuration.limits.userInFlightMax = 1
        fixture.table.reconfigure(configuration)
        try HandlerFixture.receive(line(1, "daemon.status") + line(2, "daemon.status"), on: bob)
        try HandlerFixture.receive(line(3, "daemon.status"), on: bob)
        fixture.loop.run()
        #expect(fixture.engine.submitted.joined().count == 2, "hello, and the first of these")
    }

    /// The daemon's own user can connect, however many connections others have.
    @Test func owner_isNotBlockedByStrangers() throws {
        let fixture = HandlerFixture {
            $0.limits.connectionsMax = 80
            $0.access = AccessRules(owner: 1, superuser: nil, write: AccessRules.Admitted(isEverybody: true))
        }
        let pendingHandshakes = try (0..<20).map { _ in try fixture.connect(as: User(id: 2, name: "mallory")) }
        _ = try fixture.connectRegistered(as: User(id: 1, name: "owner"))
        #expect(pendingHandshakes.count { $0.isActive } == 20)
    }

    @Test func silentConnections_giveWayToOthers() throws {
        let fixture = HandlerFixture {
            $0.limits.connectionsMax = 80
            $0.limits.userConnectionsMax = 80
            $0.access = AccessRules(owner: 1, superuser: nil, write: AccessRules.Admitted(isEverybody: true))
        }
        let mallory = User(id: 2, name: "mallory")
        let silent = try (0..<20).map { _ in try fixture.connect(as: mallory) }
        #expect(throws: ChannelError.self, "he has just come himself") { try fixture.connect(as: mallory) }
        let ada = try fixture.connect(as: User(id: 3, name: "ada"))
        fixture.loop.run()
        #expect(!silent[0].isActive, "the oldest goes")
        #expect(silent.count { $0.isActive } == 19)
        try HandlerFixture.receive(helloLine, on: ada)
        #expect(ada.isActive)
        _ = try fixture.connect(as: mallory)
        #expect(fixture.table.count == 21)
    }

    @Test func reload_appliesAccessToOpenConnections() throws {
        let fixture = HandlerFixture {
            $0.access = AccessRules(owner: 1, superuser: nil, write: AccessRules.Admitted(users: [2, 3]))
        }
        let bob = try fixture.connectRegistered(as: User(id: 2, name: "bob"))
        let eve = try fixture.connectRegistered(as: User(id: 3, name: "eve"))
        var configuration = fixture.configuration
        configuration.access = AccessRules(owner: 1, superuser: nil, read: AccessRules.Admitted(users: [2]))
        fixture.table.reconfigure(configuration)
        try HandlerFixture.receive(line(2, "note.create", #"{"text":"x"}"#), on: bob)
        #expect(try HandlerFixture.output(of: bob).contains("permission_denied"))
        let last = try HandlerFixture.output(of: eve)
        #expect(last.contains(#""method":"session.closing""#) && last.contains(#""reason":"permission_denied""#))
    }
}
