import Glibc
import TestKit
import Testing

@testable import Systemd

/// What the journal is sent, read as the protocol has it.
@Suite struct SystemJournalTests {
    /// A reader written from the protocol's description: a name, then `=` and a line, or a line's end, 64 bits of length and as many bytes.
    private func fields(of bytes: [UInt8]) throws -> [String: String] {
        var rest = bytes[...]
        var fields: [String: String] = [:]
        while !rest.isEmpty {
            let end = try #require(rest.firstIndex { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "\n") })
            let name = String(decoding: rest[..<end], as: UTF8.self)
            let isLine = rest[end] == UInt8(ascii: "=")
            rest = rest[(end + 1)...]
            var value: ArraySlice<UInt8>
            if isLine {
                value = rest.prefix { $0 != UInt8(ascii: "\n") }
            } else {
                let length = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
                rest = rest.dropFirst(8)
                value = rest.prefix(length)
                #expect(value.count == length)
            }
            rest = rest.dropFirst(value.count)
            #expect(rest.first == UInt8(ascii: "\n"))
            rest = rest.dropFirst()
            fields[name] = String(decoding: value, as: UTF8.self)
        }
        return fields
    }

    @Test func fields_arriveUnchanged() throws {
        let directory = try TemporaryDirectory()
        let heard = try Datagrams(at: directory.path + "/journal")
        let journal = try #require(SystemJournal(path: heard.path))
        let sent = [
            (name: "MESSAGE", value: "two\nlines, and = signs"), (name: "PRIORITY", value: "3"), (name: "EMPTY", value: ""),
            (name: "NOTESD_NOTE_1", value: "äöü\u{0}\n"),
        ]
        #expect(journal.send(sent))
        let got = try fields(of: try #require(heard.next()))
        #expect(got == Dictionary(uniqueKeysWithValues: sent.map { ($0.name, $0.value) }))
    }

    @Test func randomFields_arriveUnchanged() throws {
        let directory = try TemporaryDirectory()
        let heard = try Datagrams(at: directory.path + "/journal")
        let journal = try #require(SystemJournal(path: heard.path))
        for seed in seeds(200) {
            var generator = SeededGenerator(seed: seed)
            var sent: [String: String] = [:]
            for number in 0..<Int.random(in: 1...6, using: &generator) {
                let scalars = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
                    ["\n", "=", "\u{0}", "a", "é", "😀", "\r"].randomElement(using: &generator) ?? "a"
                }
                sent["F\(number)"] = scalars.joined()
            }
            #expect(journal.send(sent.map { (name: $0.key, value: $0.value) }))
            #expect(try fields(of: try #require(heard.next())) == sent, "seed \(seed)")
        }
    }

    @Test func invalidFieldNames_areOmitted() throws {
        let names = ["", "_OWN", "1ST", "lower", "WITH SPACE", "WITH=SIGN", "WITH\nLINE", String(repeating: "A", count: 65)]
        #expect(SystemJournal.encode(names.map { (name: $0, value: "x") }).isEmpty)
    }

    @Test func fullJournal_doesNotBlock() throws {
        let directory = try TemporaryDirectory()
        let heard = try Datagrams(at: directory.path + "/journal")
        let journal = try #require(SystemJournal(path: heard.path))
        var taken = 0
        while taken < 100_000, journal.send([(name: "MESSAGE", value: String(repeating: "x", count: 1_000))]) { taken += 1 }
        #expect(taken < 100_000, "the socket's room is not without end")
        #expect(heard.next() != nil)
        #expect(journal.send([(name: "MESSAGE", value: "y")]), "and it goes on when the journal does")
    }

    @Test func journalStream_isDetectedByDeviceAndInode() throws {
        let directory = try TemporaryDirectory()
        let descriptor = open(directory.path + "/f", O_CREAT | O_RDWR, 0o600)
        defer { close(descriptor) }
        var file = stat()
        fstat(descriptor, &file)
        #expect(SystemJournal.isStream(descriptor) { _ in "\(file.st_dev):\(file.st_ino)" })
        #expect(!SystemJournal.isStream(descriptor) { _ in "\(file.st_dev):\(file.st_ino + 1)" })
        #expect(!SystemJournal.isStream(descriptor) { _ in nil })
        #expect(!SystemJournal.isStream(-1) { _ in "1:1" })
    }
}
