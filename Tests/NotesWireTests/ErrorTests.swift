import Causality
import NoteText
import NotesModel
import NotesWire
import TestKit
import Testing

@Suite struct ErrorTests {
    @Test func codes_andKindsAreOneToOne() {
        let codes = ErrorKind.allCases.map(\.code)
        #expect(Set(codes).count == ErrorKind.allCases.count)
        #expect(ErrorKind.allCases.count == 27)
    }

    @Test func error_isExact() {
        let error = WireError(.unknownBase, "go on", isRetryable: true, details: [.known(version("A1"))])
        #expect(
            string(error.line(id: .string("x"))) == """
                {"jsonrpc":"2.0","id":"x","error":{"code":2003,"message":"go on","data":{"kind":"unknown_base","retryable":true,\
                "known":"aaaaaaaaaaaaaaaa:1"}}}\n
                """)
        #expect(
            string(WireError.helloRequired.line(id: nil)).hasPrefix("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":1001,"))
    }

    @Test(
        arguments: [
            (Rejection.noteNotFound, ErrorKind.noteNotFound, false, []),
            (.noteExists(noteID(1)), .noteExists, false, [.id(noteID(1))]),
            (.nameTaken(by: noteID(2)), .noteExists, false, [.id(noteID(2))]),
            (.baseRequired(version: version("A1")), .baseRequired, false, [.version(version("A1"))]),
            (.unknownBase(known: version("A1"), unknown: version("F1")), .unknownBase, false, [.known(version("A1"))]),
            (.revisionGone(version("A1"), oldest: dot("A7")), .revisionGone, false, [.version(version("A7"))]),
            (.revisionGone(.nothing, oldest: nil), .revisionGone, false, []),
            (.unknownBase(known: .nothing, unknown: version("F1", "A9")), .unknownBase, false, [.known(.nothing)]),
            (.invalidEdit(InvalidEdit(index: 3, fault: .negative)), .invalidEdit, false, [.index(3)]),
            (.invalidName(.dotPart), .invalidName, false, []),
            (.noteTooLarge(bytes: 9, limit: 4), .noteTooLarge, false, [.bytes(9), .limit(4)]),
        ] as [(Rejection, ErrorKind, Bool, [WireError.Detail])])
    func rejection_hasKindAndDetails(rejection: Rejection, kind: ErrorKind, isRetryable: Bool, details: [WireError.Detail]) {
        let error = WireError(rejection)
        #expect(error.kind == kind)
        #expect(error.isRetryable == isRetryable)
        #expect(error.details == details)
        #expect(!error.message.isEmpty)
    }

    @Test func error_roundTrips() throws {
        let details: [WireError.Detail] = [
            .path("params.edits[3]"), .offset(7), .version(version("A1", "B2")), .known(.nothing), .id(noteID(3)),
            .supported([1, 2]),
            .index(4), .bytes(5), .limit(6),
        ]
        for kind in ErrorKind.allCases {
            let error = WireError(kind, "what, where, what to do", isRetryable: !kind.isRetryable, details: details)
            var line = error.line(id: nil)
            line.removeLast()
            guard case .failure(nil, let read) = try ServerLine(parsing: line) else {
                Issue.record("\(kind) is no failure")
                continue
            }
            #expect(read == error)
        }
    }

    @Test func unknownErrorOfNewerDaemon_isAnError() throws {
        let line = bytes(
            #"{"jsonrpc":"2.0","id":1,"error":{"code":8001,"message":"new","data":{"kind":"new_kind","retryable":true}}}"#)
        guard case .failure(.integer(1), let error) = try ServerLine(parsing: line) else {
            Issue.record("no failure")
            return
        }
        #expect(error.kind == .internal && error.isRetryable && error.message.contains("8001"))
    }
}
