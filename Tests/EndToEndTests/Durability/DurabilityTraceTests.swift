import Foundation
import NotesModel
import TestKit
import Testing

extension EndToEnd {
    /// Tests G1 and G3: responses and notifications are sent only after the change is on disk. A
    /// crash of the daemon cannot test this, because the kernel keeps the written data; so a trace
    /// of system calls shows the order.
    @Suite(.enabled(if: Tools.has("strace"), Tools.missing("strace")))
    struct DurabilityTraceTests {
        @Test func sequentialSaves_syncBeforeEachResponse() async throws {
            let marks = Self.marks("one", 24)
            let order = try await Self.order { writer, watcher in
                for (index, mark) in marks.enumerated() {
                    try await writer.send(Self.create(mark, index))
                    _ = try await writer.answer()
                }
                try await Self.wait(watcher, for: marks)
            }
            for mark in marks { #expect(order.faults(mark) == []) }
            let first = try #require(order.durable(marks[0]))
            let last = try #require(order.durable(marks[23]))
            let count = order.syncs.filter { $0.start >= first.start && $0.start <= last.start }.count
            #expect(count >= marks.count, "\(count) syncs for \(marks.count) writes, each sent after the previous response")
        }

        @Test func pipelinedSaves_shareSyncsBeforeResponses() async throws {
            let marks = Self.marks("together", 64)
            let order = try await Self.order { writer, watcher in
                try await writer.send(marks.enumerated().map { Self.create($1, $0) }.joined())
                for _ in marks { _ = try await writer.answer() }
                try await Self.wait(watcher, for: marks)
            }
            for mark in marks { #expect(order.faults(mark) == []) }
            let syncs = Set(marks.compactMap { order.durable($0)?.start })
            #expect(syncs.count >= 1 && syncs.count < marks.count, "\(syncs.count) syncs for \(marks.count) writes sent together")
        }

        private static func marks(_ word: String, _ count: Int) -> [DurableOrder.Mark] {
            (0..<count).map { DurableOrder.Mark(text: "mark-\(word)-\($0)-end", id: "write-\(word)-\($0)-end") }
        }

        /// The request that saves a new text. Its response does not contain the title; only another
        /// client's notification does.
        private static func create(_ mark: DurableOrder.Mark, _ index: Int) -> String {
            #"{"jsonrpc":"2.0","id":"\#(mark.id)","method":"note.save","params":{"id":"\#(noteID(UInt64(index)))","#
                + #""base":"","text":"\#(mark.text)\n"}}"# + "\n"
        }

        private static func order(
            _ body: (RawConnection, RawConnection) async throws -> Void
        ) async throws -> DurableOrder {
            DurableOrder(
                try await TracedDaemon.trace { daemon in
                    let watcher = try await RawConnection.registered(daemon.socket)
                    let writer = try await RawConnection.registered(daemon.socket)
                    for index in 0..<64 {
                        let note = noteID(UInt64(index))
                        let line = #"{"jsonrpc":"2.0","id":1,"method":"note.create","params":{"text":"","id":"\#(note)"}}"#
                        _ = try await writer.call(line)
                    }
                    _ = try await watcher.call(#"{"jsonrpc":"2.0","id":1,"method":"notes.watch","params":{}}"#)
                    try await body(writer, watcher)
                })
        }

        /// Waits until a watcher has received all of them.
        private static func wait(_ watcher: RawConnection, for marks: [DurableOrder.Mark]) async throws {
            var awaited = Set(marks.map(\.text))
            while !awaited.isEmpty {
                guard let line = try await watcher.line() else { throw RawConnection.Ended(what: "the watch ended") }
                let text = String(decoding: line, as: UTF8.self)
                awaited = awaited.filter { !text.contains("\"\($0)\"") }
            }
        }
    }
}

/// Tests of the order checker, on traces with planted faults.
@Suite struct DurableOrderTests {
    private static let honest = [
        #"7 pwrite64(11</d/notes.sqlite3-wal>, "..mark-a..", 4096, 32) = 4096"#,
        #"7 fdatasync(11</d/notes.sqlite3-wal> <unfinished ...>"#,
        #"8 write(1</out>, "it listens = 3\n", 15) = 15"#,
        #"7 <... fdatasync resumed>)       = 0"#,
        #"8 write(20<socket:[1]>, "{\"id\":\"w\",\"result\":{}}\n", 30) = 30"#,
        #"8 write(21<socket:[2]>, "{\"method\":\"note.changed\",\"title\":\"mark-a\"}\n", 30) = 30"#,
    ]

    private static func faults(_ lines: [String]) -> [String] {
        DurableOrder(SyscallTrace(lines)).faults(DurableOrder.Mark(text: "mark-a", id: "w"))
    }

    @Test func correctTrace_hasNoFault() {
        #expect(Self.faults(Self.honest) == [])
    }

    @Test(arguments: [0, 1, 2, 3]) func responseBeforeSyncEnds_isFound(line: Int) {
        for sent in [4, 5] {
            var lines = Self.honest
            lines.insert(lines.remove(at: sent), at: line)
            #expect(Self.faults(lines).count == 1, "\(sent) before \(line)")
        }
    }

    @Test(arguments: 0..<6) func missingCall_isFound(line: Int) {
        var lines = Self.honest
        lines.remove(at: line)
        #expect(Self.faults(lines).isEmpty == (line == 2), "without \(lines)")
    }

    @Test func failedOrUnrelatedSync_doesNotCount() {
        let failed = Self.honest.map {
            $0.replacingOccurrences(of: "resumed>)       = 0", with: "resumed>) = -1 EIO (Input/output error)")
        }
        let other = Self.honest.map {
            $0.replacingOccurrences(of: "fdatasync(11</d/notes.sqlite3-wal>", with: "fdatasync(12</d/notes.sqlite3>")
        }
        for lines in [failed, other] { #expect(Self.faults(lines) == ["mark-a was never made durable"]) }
    }
}
