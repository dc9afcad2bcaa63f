import Dependents
import NoteText
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import NotesEngine
@testable import NotesServer

/// `ConnectionState`, one event at a time.
@Suite struct ConnectionStateTests {
    // MARK: Hello

    @Test func hello_registersWithKernelCredentials() {
        var connection = DrivenConnection()
        connection.receive(
            line(
                1, "session.hello",
                #"{"protocol":[2,1],"client":{"name":"c","version":"9"},"label":"l","positionEncoding":["x","utf-16"]}"#))
        #expect(connection.submitted.count == 1)
        guard case .register(let registration)? = connection.submitted.first?.body else {
            Issue.record("no registration")
            return
        }
        #expect(
            registration
                == Registration(
                    clientName: "c", clientVersion: "9", label: "l", userID: 1_000, userName: "ada", encoding: .utf16))
        #expect(connection.state.isRegistered)
    }

    @Test func beforeHello_onlyHelloPingAndDiscoverAreAllowed() {
        var connection = DrivenConnection()
        connection.receive(line(1, "session.ping") + line(2, "rpc.discover") + line(3, "daemon.status") + line(4, "no.such"))
        #expect(connection.written == ["pong 1", "document 2", "refused 3 hello_required", "refused 4 hello_required"])
        #expect(connection.submitted.isEmpty)
    }

    @Test func hello_mayBePipelined() {
        var connection = DrivenConnection()
        connection.receive(helloLine + line(2, "daemon.status"))
        #expect(connection.submitted.map(\.requestNumber) == [1, 2])
        connection.response(1, 2)
        #expect(connection.written == ["response 1", "response 2"])
    }

    @Test func secondHello_isRefusedAndChangesNothing() {
        var connection = DrivenConnection.registered()
        connection.receive(helloLine + line(2, "daemon.status"))
        #expect(connection.written == ["refused 1 invalid_request"])
        #expect(connection.submitted.count == 1)
    }

    @Test func overload_refusesOneRequestInOrder() {
        var connection = DrivenConnection.registered()
        connection.receive(line(2, "daemon.status"))
        connection.state.isOverloaded = true
        connection.receive(line(3, "daemon.status") + line(4, "session.ping"))
        #expect(connection.written == [], "the engine still has the request before")
        connection.state.isOverloaded = false
        connection.receive(line(5, "daemon.status"))
        #expect(connection.submitted.map(\.requestNumber) == [2, 3])
        connection.response(2)
        #expect(connection.written == ["response 2", "refused 3 overloaded", "pong 4"])
    }

    @Test func helloOfUnknownProtocol_isRefused_andMayBeRepeated() {
        var connection = DrivenConnection()
        connection.receive(line(1, "session.hello", #"{"protocol":[7],"client":{"name":"c"}}"#))
        #expect(connection.written == ["refused 1 unsupported_protocol"])
        connection.receive(helloLine)
        #expect(connection.submitted.count == 1)
    }

    @Test func stranger_isRefusedAtHello_andLaterLinesAreIgnored() {
        var connection = DrivenConnection(access: nil)
        connection.receive(line(7, "session.ping"))
        #expect(connection.written == ["pong 7"])
        connection.receive(helloLine + line(2, "daemon.status"))
        #expect(connection.written == ["pong 7", "refused 1 permission_denied"])
        #expect(connection.submitted.isEmpty)
        #expect(connection.done == ["closeOutput"])
        #expect(connection.state.wantsBytes, "what comes is thrown away until the client hangs up")
        connection.receive(line(3, "session.ping"))
        connection.happened { $0.inputClosed() }
        #expect(connection.written.count == 2)
        #expect(connection.done == ["closeOutput", "close"])
    }

    @Test func helloTimeout_closesOnlyUnregistered() {
        var silent = DrivenConnection()
        silent.happened { $0.helloTimedOut() }
        #expect(silent.done == ["close"])
        var registered = DrivenConnection.registered()
        registered.happened { $0.helloTimedOut() }
        #expect(registered.done.isEmpty)
        #expect(registered.state.wantsBytes)
    }

    @Test func registrationRefusedByEngine_endsConnection() {
        var connection = DrivenConnection()
        connection.receive(helloLine)
        connection.happened { $0.refusedByEngine(requestNumber: 1) }
        connection.happened { $0.inputClosed() }
        #expect(connection.written == ["response 1"])
    }

    // MARK: Order

    @Test func responses_keepOrderOfRequests() {
        var connection = DrivenConnection.registered()
        connection.receive(
            line(2, "daemon.status") + line(3, "session.ping") + "nonsense\n" + line(4, "note.list") + line(5, "session.ping"))
        #expect(connection.written.isEmpty)
        #expect(connection.submitted.map(\.requestNumber) == [2, 3])
        connection.response(2)
        #expect(connection.written == ["response 2", "pong 3", "refused - parse_error"])
        connection.response(3)
        #expect(connection.written == ["response 2", "pong 3", "refused - parse_error", "response 4", "pong 5"])
    }

    @Test func notifications_followResponsesOfTheirDelivery() {
        var connection = DrivenConnection.registered()
        connection.receive(line(2, "daemon.status") + line(3, "session.ping") + line(4, "daemon.status"))
        connection.response(2, notifications: [1, 2])
        #expect(connection.written == ["response 2", "pong 3", "notice 1", "notice 2"])
    }

    @Test func responseOutOfTurn_isDropped() {
        var connection = DrivenConnection.registered()
        connection.receive(line(2, "daemon.status") + line(3, "daemon.status"))
        let isRight = connection.response(3)
        #expect(!isRight)
        #expect(connection.written.isEmpty)
    }

    // MARK: Progress

    @Test func progress_comesBeforeTheResponse() {
        var connection = DrivenConnection.registered()
        connection.receive(line(7, "daemon.audit") + line(8, "session.ping"))
        connection.progress(2, 0, of: 9)
        connection.progress(2, 5, of: 9)
        #expect(connection.written == ["progress 7 0/9", "progress 7 5/9"])
        connection.response(2)
        #expect(connection.written.dropFirst(2) == ["response 7", "pong 8"])
        let isRight = connection.progress(2, 9, of: 9)
        #expect(!isRight, "it was answered")
    }

    @Test func unreadProgress_isReducedToTheNewest() {
        var limits = ServiceLimits()
        limits.responseBytesMax = 150
        var connection = DrivenConnection.registered(limits: limits)
        connection.isReading = false
        connection.receive(line(2, "daemon.audit"))
        for done in 0...9 { connection.progress(2, done, of: 9) }
        #expect(connection.written == ["progress 2 0/9", "progress 2 1/9"], "then there is no room")
        connection.response(2)
        connection.read(.max)
        #expect(connection.written.dropFirst(2) == ["progress 2 9/9", "response 2"])
        connection.read(.max)
        connection.receive(line(2, "daemon.audit"))
        connection.progress(3, 1, of: 2)
        #expect(connection.written.last == "progress 2 1/2", "another request may have the same id")
    }

    @Test func progressOfEndingConnection_isDropped() {
        var connection = DrivenConnection.registered()
        connection.receive(line(2, "daemon.audit"))
        connection.happened { $0.inputClosed() }
        let isRight = connection.progress(2, 1, of: 2)
        #expect(isRight && connection.written.isEmpty)
        connection.response(2)
        #expect(connection.written == ["response 2"] && connection.done == ["close"])
    }

    // MARK: Pieces

    @Test func splitBytes_makeTheSameRequestsAndResponses() {
        let text =
            helloLine + "\r\n" + line(2, "note.list") + "{\n" + line(3, "session.ping") + line(4, "no.such")
            + line(5, "note.get", #"{"name":"größe"}"#)
        for seed in seeds(20) {
            var generator = SeededGenerator(seed: seed)
            var split = DrivenConnection()
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = seed == 1 ? 1 : 1 + generator.below(40)
                split.receive(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            split.response(1, 2, 3)
            var whole = DrivenConnection()
            whole.receive(text)
            whole.response(1, 2, 3)
            #expect(split.written == whole.written, "seed \(seed)")
            #expect(split.submitted.map(\.requestNumber) == whole.submitted.map(\.requestNumber), "seed \(seed)")
            #expect(
                whole.written
                    == [
                        "response 1", "response 2", "refused - parse_error", "pong 3", "refused 4 method_not_found", "response 5",
                    ])
        }
    }

    // MARK: The end

    @Test func disconnect_endsAfterAllReadRequestsAreAnswered() {
        var connection = DrivenConnection.registered()
        connection.receive(line(2, "daemon.status") + line(3, "daemon.status") + #"{"half a line"#)
        connection.happened { $0.inputClosed() }
        #expect(connection.done.isEmpty)
        #expect(!connection.state.wantsBytes)
        connection.response(2)
        #expect(connection.done.isEmpty)
        connection.isReading = false
        connection.response(3, notifications: [1])
        #expect(connection.written == ["response 2", "response 3"], "one that said goodbye is told nothing new")
        #expect(connection.done.isEmpty, "the answer has not left")
        #expect(!connection.state.isEnding, "a slow reader has its time")
        connection.read(.max)
        #expect(connection.done == ["close"])
    }

    @Test func stop_answersAcceptedRequests_thenSendsClosing() {
        var connection = DrivenConnection.registered()
        connection.receive(line(2, "daemon.status"))
        connection.happened { $0.stopTaking() }
        connection.receive(line(3, "daemon.status"))
        #expect(connection.submitted.count == 1)
        #expect(!connection.state.wantsBytes)
        connection.response(2, notifications: [1])
        connection.happened { $0.sayClosing() }
        #expect(connection.written == ["response 2", "notice 1", "closing"])
        #expect(connection.done == ["drained", "close"])
    }

    @Test func stop_sendsNothingToUnregistered() {
        var connection = DrivenConnection()
        connection.happened { $0.stopTaking() }
        connection.happened { $0.sayClosing() }
        #expect(connection.written.isEmpty)
        #expect(connection.done == ["close"])
    }

    @Test func stop_skipsEndingConnections() {
        var connection = DrivenConnection(access: nil)
        connection.receive(helloLine)
        connection.happened { $0.stopTaking() }
        connection.happened { $0.sayClosing() }
        #expect(connection.done == ["closeOutput", "close"])
    }

    @Test func requestRefusedByEngine_isAnswered() {
        var connection = DrivenConnection.registered()
        connection.receive(line(2, "daemon.status") + line(3, "session.ping"))
        connection.happened { $0.refusedByEngine(requestNumber: 2) }
        #expect(connection.written == ["response 2", "pong 3"])
    }

    @Test func truncatedDelivery_endsConnectionAfterItsLines() {
        var connection = DrivenConnection.registered()
        connection.receive(line(2, "daemon.status"))
        connection.deliver([], notifications: [1], isCutShort: true)
        #expect(connection.written == ["notice 1"])
        #expect(connection.done == ["closeOutput"])
        let isRight = connection.response(2)
        #expect(isRight, "an answer that comes too late is left")
        #expect(connection.written == ["notice 1"])
    }
}
