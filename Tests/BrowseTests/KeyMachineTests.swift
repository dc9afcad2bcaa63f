import TestKit
import Testing

@testable import Browse

/// Tests of the conversion of a terminal's bytes to keys.
struct KeyMachineTests {
    private func keys(_ text: String) -> [Key] { keys(Array(text.utf8)) }

    /// The keys of bytes that arrive together, and of the silence after them.
    private func keys(_ bytes: [UInt8]) -> [Key] {
        var machine = KeyMachine()
        var keys = machine.receive(bytes, at: .zero)
        if let last = machine.pass(to: .seconds(1)) { keys.append(last) }
        return keys
    }

    @Test func knownSequences_areKeys() {
        let known: [(String, Key)] = [
            ("a", .character("a")), ("漢", .character("漢")), ("👍", .character("👍")), ("\r", .enter), ("\n", .enter),
            ("\t", .tab), ("\u{1B}[Z", .backTab), ("\u{7F}", .backspace), ("\u{8}", .backspace), ("\u{3}", .control("c")),
            ("\u{1A}", .control("z")), ("\u{1B}[A", .up), ("\u{1B}OB", .down), ("\u{1B}[C", .right), ("\u{1B}[D", .left),
            ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown), ("\u{1B}[H", .home), ("\u{1B}[1~", .home), ("\u{1B}[7~", .home),
            ("\u{1B}OF", .end), ("\u{1B}[4~", .end), ("\u{1B}[8~", .end), ("\u{1B}[3~", .delete), ("\u{1B}OM", .enter),
            ("\u{1B}[200~a\u{1B}[31mb\r\u{1B}[201~", .paste(Array("a\u{1B}[31mb\r".utf8))), ("\u{1B}", .escape),
        ]
        for (text, key) in known { #expect(keys(text) == [key], "\(text.debugDescription)") }
    }

    @Test func mouse_isAKeyInACell() {
        #expect(keys("\u{1B}[<0;10;20M\u{1B}[<0;10;20m") == [.click(row: 19, column: 9)])
        #expect(keys("\u{1B}[<64;1;1M") == [.wheel(isUp: true, row: 0, column: 0)])
        #expect(keys("\u{1B}[<65;1;2M") == [.wheel(isUp: false, row: 1, column: 0)])
    }

    /// Each of these is dropped whole: the `x` after it is the only key.
    @Test func unknownSequences_areNoKeys() {
        let unknown = [
            "\u{1B}[1;5A", "\u{1B}[24~", "\u{1B}OP", "\u{1B}[[A", "\u{1B}[<2;10;20M", "\u{1B}[<0;10;20m", "\u{1B}[<0;0;20M",
            "\u{1B}[<0;10M", "\u{1B}[I",
            "\u{1B}[?1;2c",
            "\u{1B}]11;rgb:0000/0000/0000\u{7}", "\u{1B}]11;q\u{1B}\\", "\u{1B}P1+r\u{1B}\\", "\u{1B}a", "\u{1B}漢", "\u{1B}\r",
            "\u{1B}[97;5u", "\u{1B}[\(String(repeating: "1;", count: 100))~", "\u{85}",
            "\u{1B}\u{1B}[A".replacing("[A", with: "[5n"),
            "\u{0}", "\u{1C}",
        ]
        for text in unknown { #expect(keys(text + "x") == [.character("x")], "\(text.debugDescription)") }
        #expect(keys([0xC3, 0x28, 0xFF, 0xE2, 0x82, 0x41]) == [.character("("), .character("A")])
    }

    @Test func escape_countsAloneAfterItsTime() {
        var machine = KeyMachine()
        #expect(machine.receive([0x1B], at: .zero).isEmpty && machine.deadline == KeyMachine.escapeTime)
        #expect(machine.pass(to: .milliseconds(24)) == nil)
        #expect(machine.pass(to: .milliseconds(25)) == .escape && machine.deadline == nil)
        // Bytes that come later begin a key of their own.
        #expect(machine.receive([0x1B], at: .seconds(1)).isEmpty)
        #expect(machine.receive(Array("[A".utf8), at: .milliseconds(1_026)) == [.escape, .character("["), .character("A")])
    }

    /// A paste of 1 MiB with escape sequences in it arrives whole, in pieces of limited size.
    @Test(arguments: ["\u{1B}[20\u{1B}[2J~q", "漢", "👍", "a\r\n", "\r\n", "q"])
    func longPaste_arrivesInPieces(part: String) {
        let text = Array(String(repeating: part, count: (1 << 20) / part.utf8.count).utf8)
        var pasted = keys(Array("\u{1B}[200~".utf8) + text + Array("\u{1B}[201~q".utf8))
        #expect(pasted.popLast() == .character("q"))
        let pieces = pasted.map { if case .paste(let piece) = $0 { piece } else { [UInt8]() } }
        #expect(pieces.count >= 16 && Array(pieces.joined()) == text)
        for piece in pieces {
            #expect(piece.count < KeyMachine.pasteBytesMax + 8 && String(validating: piece, as: UTF8.self) != nil)
            #expect(piece.first != 0x0A, "CR LF is cut")
        }
    }

    /// Alt and these letters look like the start of a sequence, which never ends.
    @Test(arguments: ["\u{1B}]", "\u{1B}P", "\u{1B}X", "\u{1B}^", "\u{1B}_", "\u{1B}O", "\u{1B}[", "\u{1B}[["])
    func unfinishedSequence_swallowsNoLaterKey(start: String) {
        var machine = KeyMachine()
        #expect(machine.receive(Array(start.utf8), at: .zero).isEmpty && machine.deadline == KeyMachine.sequenceTime)
        #expect(machine.receive(Array("q".utf8), at: KeyMachine.sequenceTime) == [.character("q")])
        #expect(machine.deadline == nil)
        #expect(keys(start + "\u{3}x") == [.control("c"), .character("x")])
        #expect(keys(start + "\u{1B}[Ax") == [.up, .character("x")])
    }

    @Test func cancel_endsAString() {
        #expect(keys("\u{1B}]11;q\u{18}x") == [.character("x")])
        #expect(keys("\u{1B}P1\u{1A}x") == [.character("x")])
    }

    /// Bytes as terminals send them, with random ones between them.
    private func noise(_ random: inout SeededGenerator) -> [UInt8] {
        let parts = [
            "\u{1B}", "\u{1B}[", "\u{1B}O", "\u{1B}[200~", "\u{1B}[201~", "\u{1B}]", "\u{1B}\\", "1;5", "~", "A", "M", "é", "漢",
            "👍", "\u{7}",
            "<0;1;1M", "q", "\r",
        ]
        return (0..<random.below(24)).flatMap { _ in
            random.chance(0.3) ? [UInt8(random.below(256))] : Array(random.pick(parts).utf8)
        }
    }

    @Test(arguments: seeds(300))
    func keys_dependOnNoBoundaryBetweenReads(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = noise(&random)
        let whole = keys(bytes)
        for split in 0...bytes.count {
            var machine = KeyMachine()
            var parts = machine.receive(bytes[..<split], at: .zero)
            parts += machine.receive(bytes[split...], at: .milliseconds(10))
            if let last = machine.pass(to: .seconds(1)) { parts.append(last) }
            #expect(parts == whole, "seed \(seed), split at \(split) of \(bytes)")
        }
    }

    /// After any bytes, the end of a paste, a bell and two letters bring the machine back.
    @Test(arguments: seeds(300))
    func machine_recoversFromAnything(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = noise(&random)
        #expect(keys(bytes + Array("\u{1B}[201~\u{7}\u{7}xxy".utf8)).last == .character("y"), "seed \(seed): \(bytes)")
    }
}
