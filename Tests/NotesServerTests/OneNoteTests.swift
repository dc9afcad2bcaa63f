import Glibc
import NIOCore
import NIOEmbedded
import NoteText
import NotesMethods
import NotesModel
import NotesWire
import Testing

@testable import NotesServer

/// Connections that `session.limit` limited to one note, and those for a person, on real sockets.
@Suite struct OneNoteTests {
    private static let own = "01890000-0000-7000-8000-000000000001"
    private static let other = "01890000-0000-7000-8000-000000000002"
    /// Everything that names or quotes the other note.
    private static let secrets = [other, "hidden", "sesame", "elsewhere"]

    /// A server with two notes, and a connection without limits.
    private struct Scene {
        let server: TestServer
        let owner: SocketClient
        /// Dot of the first revision of each note.
        var dots: [String] = []

        init(configure: (inout ServerConfiguration) -> Void = { _ in }) async throws {
            server = try await TestServer(configure: configure)
            owner = try await SocketClient.registered(at: server.path)
            for params in [
                #"{"id":"\#(own)","name":"open","text":"one [[hidden]]\n"}"#,
                #"{"id":"\#(other)","name":"hidden","text":"sesame #elsewhere [[open]]\n","op":"made"}"#,
            ] {
                dots.append(try Scene.version(in: try await owner.call(2, "note.create", params)))
            }
        }

        static func version(in line: String) throws -> String {
            String(try #require(line.firstMatch(of: /"version":"([^"]*)"/), "\(line)").1)
        }

        /// A connection that sends `session.limit` before its hello.
        func limited(_ params: String) async throws -> SocketClient {
            let client = try SocketClient(connectingTo: server.path)
            let limits = try await client.call(1, "session.limit", params)
            try #require(limits.contains("result"), "\(limits)")
            try await client.send(helloLine)
            _ = try await client.line()
            return client
        }

        func guest() async throws -> SocketClient { try await limited(#"{"note":"\#(own)","user":"ada"}"#) }
    }

    // MARK: One note

    @Test func guest_readsEditsWatchesAndIsPresent() async throws {
        let scene = try await Scene()
        let guest = try SocketClient(connectingTo: scene.server.path)
        #expect(
            try await guest.call(1, "session.limit", #"{"note":"\#(Self.own)","user":"ada","access":"write"}"#)
                == #"{"jsonrpc":"2.0","id":1,"result":{"access":"write","methods":"all","user":"ada","note":"\#(Self.own)"}}"#)
        try await guest.send(helloLine)
        #expect(try await guest.line()?.contains(#""person":"ada""#) == true)
        #expect(try await guest.call(2, "note.get", #"{"id":"\#(Self.own)"}"#).contains("one [[hidden]]"))
        let watch = try await guest.call(3, "notes.watch", #"{"filter":{"ids":["\#(Self.own)"]},"include":"text","echo":false}"#)
        #expect(watch.contains(#""watch":1"#))
        while try await guest.line()?.contains("watch.synced") == false {}
        let edited = try await guest.call(
            4, "note.edit", #"{"id":"\#(Self.own)","base":"\#(scene.dots[0])","edits":[{"start":0,"end":3,"text":"two"}]}"#)
        let base = try Scene.version(in: edited)
        #expect(edited.contains(#""outcome":"saved""#))
        let saved = try await guest.call(5, "note.save", #"{"id":"\#(Self.own)","base":"\#(base)","text":"three\n"}"#)
        #expect(saved.contains(#""outcome":"saved""#))
        #expect(try await guest.call(6, "note.history", #"{"id":"\#(Self.own)"}"#).contains("revisions"))
        #expect(try await guest.call(7, "presence.set", #"{"note":"\#(Self.own)"}"#).contains("result"))
        #expect(try await guest.call(8, "presence.set", #"{"note":null}"#).contains("result"))

        // Of what others do, only what they do in this note arrives.
        _ = try await scene.owner.call(3, "presence.set", #"{"note":"\#(Self.own)"}"#)
        #expect(try await guest.line()?.contains("presence.changed") == true)
        _ = try await scene.owner.call(4, "presence.set", #"{"note":"\#(Self.other)"}"#)
        let left = try #require(try await guest.line())
        #expect(left.contains(#""version":null"#) && left.contains(Self.own) && !left.contains(Self.other))
        _ = try await scene.owner.call(5, "note.save", #"{"id":"\#(Self.other)","base":"\#(scene.dots[1])","text":"x\n"}"#)
        let now = try Scene.version(in: saved)
        _ = try await scene.owner.call(6, "note.save", #"{"id":"\#(Self.own)","base":"\#(now)","text":"four\n"}"#)
        let change = try #require(try await guest.line())
        #expect(change.contains("note.changed") && change.contains("four") && !change.contains(Self.other))
        #expect(try await guest.call(9, "notes.unwatch", #"{"watch":1}"#).contains("result"))
        try await scene.server.stop()
    }

    private static let hash = String(repeating: "0", count: 64)

    /// Every method, with the other note where a note can be named, and with params that name none.
    @Test func guest_learnsOfNoOtherNote() async throws {
        let scene = try await Scene()
        _ = try await scene.owner.call(3, "presence.set", #"{"note":"\#(Self.other)"}"#)
        let guest = try await scene.guest()
        let (own, other, base) = (Self.own, Self.other, scene.dots[1])
        for method in Method.allCases {
            let tried: [String]
            switch method {
            case .hello, .limit, .ping, .discover, .unwatch: continue
            case .createNote: tried = [#"{"text":"x"}"#, #"{"text":"x","name":"hidden"}"#, #"{"text":"x","id":"\#(other)"}"#]
            case .saveNote:
                tried = [
                    #"{"id":"\#(other)","base":"\#(base)","text":"x"}"#,
                    #"{"id":"\#(own)","base":"\#(scene.dots[0])","name":"hidden"}"#,
                    #"{"id":"\#(own)","base":"\#(scene.dots[0])","file":{"sha256":"\#(Self.hash)","bytes":1}}"#,
                    #"{"id":"\#(own)","base":"\#(scene.dots[0])","text":"x","name":null}"#,
                ]
            case .editNote: tried = [#"{"id":"\#(other)","base":"\#(base)","edits":[]}"#]
            case .deleteNote, .purgeNote:
                tried = [#"{"id":"\#(other)","base":"\#(base)"}"#, #"{"id":"\#(own)","base":"\#(scene.dots[0])"}"#]
            case .undoNote:
                tried = [
                    #"{"id":"\#(other)","base":"\#(base)","ops":["made"],"preview":true}"#,
                    #"{"id":"\#(own)","base":"\#(scene.dots[0])","ops":["made"]}"#,
                ]
            case .getNote: tried = [#"{"id":"\#(other)"}"#, #"{"name":"hidden"}"#, #"{"name":"open"}"#]
            case .history: tried = [#"{"id":"\#(other)"}"#]
            case .search: tried = [#"{"query":"sesame"}"#]
            case .incomingLinks: tried = [#"{"id":"\#(own)"}"#, #"{"id":"\#(other)"}"#]
            case .resolveLinks: tried = [#"{"targets":[{"kind":"wiki","target":"hidden"}]}"#]
            case .watch:
                tried = [
                    "{}", #"{"filter":{"ids":["\#(other)"]}}"#, #"{"filter":{"ids":["\#(own)","\#(other)"]}}"#,
                    #"{"filter":{"tag":"elsewhere"}}"#,
                ]
            case .setPresence: tried = [#"{"note":"\#(other)"}"#]
            case .watchRevisions:
                tried = [#"{"peer":{"store":"aaaaaaaaaaaaaaaa","replica":"bbbbbbbbbbbbbbbb"},"known":""}"#]
            case .proceed: tried = [#"{"watch":1,"seq":1}"#]
            case .completeRevisions: tried = [#"{"dots":""}"#]
            case .adopt: tried = [#"{"revisions":[]}"#]
            case .forgetPeer: tried = [#"{"store":"aaaaaaaaaaaaaaaa"}"#]
            case .dropHeld: tried = [#"{"dots":["\#(base)"]}"#]
            case .beginFile: tried = [#"{"sha256":"\#(Self.hash)","bytes":1}"#]
            case .putFile: tried = [#"{"sha256":"\#(Self.hash)","bytes":1,"offset":0,"data":""}"#]
            case .getFile, .checkFile: tried = [#"{"sha256":"\#(Self.hash)"}"#]
            case .haveFiles: tried = [#"{"sha256s":["\#(Self.hash)"]}"#]
            case .listFiles: tried = [#"{"state":"missing"}"#]
            case .listNotes, .listTags, .listRevisions, .knownRevisions, .listPeers, .listHeld, .missingLinks, .listDependents,
                .status, .audit, .config, .backup, .metrics:
                tried = ["{}"]
            }
            for params in tried {
                let answer = try await guest.call(2, method.name, params)
                #expect(answer.contains(#""error":{"code":6001"#) && answer.contains("limited this connection"), "\(answer)")
                #expect(!Self.secrets.contains(where: answer.contains), "\(method): \(answer)")
            }
        }
        // A version and an op of the other note under the id of its own.
        for (method, params) in [
            ("note.get", #"{"id":"\#(own)","at":"\#(base)"}"#), ("note.get", #"{"id":"\#(own)","from":"\#(base)"}"#),
            ("note.save", #"{"id":"\#(own)","base":"\#(base)","text":"x"}"#),
            ("note.save", #"{"id":"\#(own)","base":"\#(scene.dots[0])","text":"x","op":"made"}"#),
            ("note.history", #"{"id":"\#(own)","before":"\#(base)"}"#),
            ("presence.set", #"{"note":"\#(own)","version":"\#(base)"}"#),
        ] {
            let answer = try await guest.call(2, method, params)
            #expect(answer.contains("error") && !Self.secrets.contains(where: answer.contains), "\(method): \(answer)")
        }
        // By a watch of nothing, a host follows its connection.
        let nothing = try await guest.call(2, "notes.watch", #"{"filter":{"ids":[]}}"#)
        #expect(nothing.contains(#""result":{"watch""#), "\(nothing)")
        // A notification of the client gets no response, and has no effect.
        try await guest.send(#"{"jsonrpc":"2.0","method":"presence.set","params":{"note":"\#(other)"}}"# + "\n")
        _ = try await guest.call(3, "session.ping")
        let dependents = try await scene.owner.call(9, "dependents.list")
        #expect(dependents.count(of: #""presence":{"note":"\#(other)""#) == 1, "only the owner is there: \(dependents)")
        let note = try await scene.owner.call(10, "note.get", #"{"id":"\#(other)"}"#)
        #expect(note.contains("sesame") && note.contains(base), "nothing changed")
        try await scene.server.stop()
    }

    /// A purge erases the params of earlier writes, so that their `op` names fit any params.
    @Test func erasedOp_tellsNothingOfItsNote() async throws {
        let scene = try await Scene()
        let save = #"{"id":"\#(Self.other)","base":"\#(scene.dots[1])","text":"new\n"}"#
        let base = try Scene.version(in: try await scene.owner.call(3, "note.save", save))
        let purged = try await scene.owner.call(4, "note.purge", #"{"id":"\#(Self.other)","base":"\#(base)"}"#)
        #expect(purged.contains("beyond"), "\(purged)")
        let write = #"{"id":"\#(Self.own)","base":"\#(scene.dots[0])","text":"x","op":"made"}"#
        #expect(try await scene.owner.call(5, "note.save", write).contains(#""error":{"code":2004"#))
        let answer = try await scene.guest().call(2, "note.save", write)
        #expect(answer.contains(#""error":{"code":-32602"#) && answer.contains("params.op"), "\(answer)")
        try await scene.server.stop()
    }

    /// A guest writes texts and does not restore the note, neither on the deleted version nor on an earlier one.
    @Test func guest_doesNotRestore() async throws {
        let scene = try await Scene()
        let guest = try await scene.guest()
        let deleted = try Scene.version(
            in: try await scene.owner.call(3, "note.delete", #"{"id":"\#(Self.own)","base":"\#(scene.dots[0])"}"#))
        for (method, rest) in [("note.save", #""text":"x""#), ("note.edit", #""edits":[]"#)] {
            for base in [deleted, scene.dots[0]] {
                let answer = try await guest.call(2, method, #"{"id":"\#(Self.own)","base":"\#(base)",\#(rest)}"#)
                #expect(answer.contains(#""error":{"code":6001"#), "\(answer)")
            }
        }
        let restored = try await scene.owner.call(
            4, "note.save", #"{"id":"\#(Self.own)","base":"\#(deleted)","text":"back\n","name":"open"}"#)
        // On the deleted version, a text would remove the name.
        let answer = try await guest.call(3, "note.save", #"{"id":"\#(Self.own)","base":"\#(deleted)","text":"x"}"#)
        #expect(answer.contains(#""error":{"code":6001"#), "\(answer)")
        let base = try Scene.version(in: restored)
        #expect(
            try await guest.call(4, "note.save", #"{"id":"\#(Self.own)","base":"\#(base)","text":"x"}"#).contains("saved"))
        #expect(try await guest.call(5, "note.get", #"{"id":"\#(Self.own)"}"#).contains(#""name":"open""#))
        try await scene.server.stop()
    }

    @Test func userAndNote_areSetOnce_andBeforeHello() async throws {
        let scene = try await Scene()
        let guest = try await scene.guest()
        for params in [
            #"{"user":"eve"}"#, #"{"note":"\#(Self.other)"}"#, #"{"user":"ada","note":"\#(Self.other)","access":"read"}"#,
        ] {
            let answer = try await guest.call(2, "session.limit", params)
            #expect(answer.contains(#""error":{"code":6001"#) && answer.contains("has set another"), "\(answer)")
        }
        let again = try await guest.call(3, "session.limit", #"{"user":"ada","note":"\#(Self.own)"}"#)
        #expect(again.contains(#""access":"admin""#), "a refused request limits nothing")
        #expect(again.contains(#""user":"ada","note":"\#(Self.own)""#))
        for params in [#"{"user":"eve"}"#, #"{"note":"\#(Self.own)"}"#] {
            let answer = try await scene.owner.call(3, "session.limit", params)
            #expect(answer.contains(#""error":{"code":6001"#) && answer.contains("before session.hello"), "\(answer)")
        }
        #expect(try await scene.owner.call(4, "note.list").contains("hidden"))
        try await scene.server.stop()
    }

    // MARK: People

    @Test func person_isShownNextToTheUser() async throws {
        let scene = try await Scene()
        let ada = try await scene.limited(#"{"user":"Ada L. é"}"#)
        _ = try await scene.owner.call(3, "notes.watch", #"{"snapshot":false}"#)
        _ = try await scene.owner.line()
        _ = try await ada.call(2, "presence.set", #"{"note":"\#(Self.other)"}"#)
        let user = #""user":{"uid":\#(geteuid()),"name":"\#(User(id: geteuid()).name)","person":"Ada L. é"}"#
        #expect(try await scene.owner.line()?.contains(user) == true)
        #expect(try await scene.owner.call(4, "dependents.list").contains(user))
        let note = try await ada.call(3, "note.create", #"{"text":"x"}"#)
        #expect(note.contains(#""author":{"user":"\#(User(id: geteuid()).name)","#), "\(note)")
        try await scene.server.stop()
    }

    @Test func nameOfAPerson_hasRules() async throws {
        let server = try await TestServer()
        let client = try SocketClient(connectingTo: server.path)
        for wrong in [#""""#, #""a\n""#, #""a\u007f""#, #""\u0085""#, "1", #""\#(String(repeating: "é", count: 32))x""#] {
            let answer = try await client.call(1, "session.limit", #"{"user":\#(wrong)}"#)
            #expect(answer.contains(#""code":-32602"#) && answer.contains(#""path":"params.user""#), "\(answer)")
        }
        let longest = String(repeating: "é", count: 32)
        #expect(try await client.call(2, "session.limit", #"{"user":"\#(longest)"}"#).contains(#""user":"\#(longest)""#))
        try await server.stop()
    }

    /// A person has half of what a user has, and all people of a user together have no more than the user.
    @Test func person_hasAShareOfTheUsersConnections() throws {
        let fixture = HandlerFixture {
            $0.limits.userConnectionsMax = 4
            $0.access = AccessRules(owner: 1, superuser: nil, write: AccessRules.Admitted(isEverybody: true))
        }
        func connect(_ user: User, for person: String) throws -> (EmbeddedChannel, String) {
            let channel = try fixture.connect(as: user)
            try HandlerFixture.receive(line(1, "session.limit", #"{"user":"\#(person)"}"#), on: channel)
            return (channel, try HandlerFixture.output(of: channel))
        }
        let web = User(id: 2, name: "web")
        let (first, admitted) = try connect(web, for: "ada")
        #expect(admitted.contains(#""user":"ada""#))
        #expect(try connect(web, for: "ada").1.contains("result"))
        let (third, refused) = try connect(web, for: "ada")
        #expect(refused.contains(#""code":4003"#))
        try HandlerFixture.receive(line(2, "session.limit", #"{"user":"bob"}"#), on: third)
        #expect(try HandlerFixture.output(of: third).contains(#""user":"bob""#), "the refused name was not taken")
        first.close(promise: nil)
        fixture.loop.run()
        #expect(try connect(web, for: "ada").1.contains("result"), "a closed connection counts no more")
        _ = try connect(web, for: "eve")
        #expect(throws: (any Error).self, "the user's own limit") { try connect(web, for: "dora") }
        #expect(try connect(User(id: 3, name: "mail"), for: "ada").1.contains("result"), "another user's ada")
        // The daemon's own user has no limit, and the people for whom it connects do.
        let own = User(id: 1, name: "owner")
        for _ in 0..<2 { #expect(try connect(own, for: "ada").1.contains("result")) }
        #expect(try connect(own, for: "ada").1.contains(#""code":4003"#))
        for _ in 0..<5 { _ = try fixture.connectRegistered(as: own) }
    }

    @Test func person_hasAShareOfTheUsersRequests() throws {
        let fixture = HandlerFixture {
            $0.limits.userInFlightMax = 4
            $0.access = AccessRules(owner: 1, superuser: nil, write: AccessRules.Admitted(isEverybody: true))
        }
        func connect(for person: String) throws -> EmbeddedChannel {
            let channel = try fixture.connect(as: User(id: 2, name: "web"))
            try HandlerFixture.receive(line(9, "session.limit", #"{"user":"\#(person)"}"#), on: channel)
            try fixture.register(channel)
            return channel
        }
        let (ada, also, bob, eve) = (
            try connect(for: "ada"), try connect(for: "ada"), try connect(for: "bob"), try connect(for: "eve")
        )
        func isOverloaded(_ channel: EmbeddedChannel, _ ids: ClosedRange<Int>) throws -> Bool {
            try HandlerFixture.receive(ids.map { line($0, "daemon.status") }.joined(), on: channel)
            return try HandlerFixture.output(of: channel).contains("overloaded")
        }
        #expect(try !isOverloaded(ada, 1...2))
        #expect(try isOverloaded(also, 3...3))
        #expect(try !isOverloaded(bob, 4...5))
        #expect(try isOverloaded(eve, 6...6), "four requests of the user wait")
        ada.close(promise: nil)
        fixture.loop.run()
        #expect(try !isOverloaded(also, 7...7), "a closed connection counts no more")
    }
}

extension String {
    /// Number of places where a text occurs.
    fileprivate func count(of text: String) -> Int { ranges(of: text).count }
}
