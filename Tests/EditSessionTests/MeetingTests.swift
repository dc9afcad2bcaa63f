import EditSession
import Foundation
import NotesWire
import SessionTestKit
import Testing

/// Two people each change one text, and have not seen the other's change: the cases of
/// `Fixtures/meetings.txt`.
struct MeetingTests {
    struct Case: CustomTestStringConvertible {
        let base: String
        let (first, second): (String, String)
        let wanted: [String]
        let testDescription: String
    }

    private static func text(_ field: Substring) -> String { field.replacingOccurrences(of: "/", with: "\n") }

    static let cases: [Case] = {
        guard let url = Bundle.module.url(forResource: "Fixtures/meetings", withExtension: "txt"),
            let text = try? String(contentsOf: url, encoding: .utf8)
        else { return [] }
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let fields = line.split(separator: "\t")
            return Case(
                base: Self.text(fields[1]), first: Self.text(fields[3]), second: Self.text(fields[5]),
                wanted: fields[6...].map(Self.text), testDescription: "\(fields[0]): \(fields[2]) and \(fields[4])")
        }
    }()

    private func isWanted(_ text: String, conflicts: Int, _ test: Case) -> Bool {
        test.wanted.contains { wanted in
            switch wanted {
            case "!": conflicts > 0
            case "L": conflicts == 0 && text.split(separator: "\n").sorted() == test.base.split(separator: "\n").sorted()
            default: conflicts == 0 && text == wanted
            }
        }
    }

    @Test func thereAreCases() { #expect(Self.cases.count == 63) }

    @Test(arguments: cases, [false, true])
    func meeting_keepsWhatBothDid(_ test: Case, isSecondFirst: Bool) throws {
        var world = EditWorld(test.base, people: 2)
        world.become(test.first, by: 0)
        world.become(test.second, by: 1)
        world.wait(.milliseconds(10))
        for person in isSecondFirst ? [1, 0] : [0, 1] { world.serve(person) }
        let isQuiet = world.settle()
        try #require(isQuiet)
        #expect(world.texts == [world.daemon.text, world.daemon.text])
        #expect(
            isWanted(world.daemon.text, conflicts: world.daemon.conflicts, test),
            "\(world.daemon.conflicts) conflicts: \(world.daemon.text)")
    }

    /// So does text that is not sent yet when the other's change arrives.
    @Test(arguments: cases)
    func meetingOfUnsentText_keepsWhatBothDid(_ test: Case) throws {
        var world = EditWorld(test.base, people: 2)
        world.become(test.first, by: 0)
        world.wait(.milliseconds(10))
        world.become(test.second, by: 1)
        world.serve(0)
        world.receive(1)
        let isQuiet = world.settle()
        try #require(isQuiet)
        #expect(world.texts == [world.daemon.text, world.daemon.text])
        #expect(
            isWanted(world.daemon.text, conflicts: world.daemon.conflicts, test),
            "\(world.daemon.conflicts) conflicts: \(world.daemon.text)")
    }

    /// A clash whose save is refused after the undo of the session's own revision: the text stays, with a
    /// draft, and is sent again when it changes.
    @Test(arguments: [ErrorKind.noteTooLarge, .unknownBase, .internal])
    func refusedSaveAfterTheUndo_keepsTheText(_ kind: ErrorKind) throws {
        var world = EditWorld("one\n", people: 2)
        world.become("two\n", by: 0)
        world.become("six\n", by: 1)
        world.wait(.milliseconds(10))
        world.serve(0)
        func isSaveNext() -> Bool {
            if case .write(_, .save)? = world.people[1].requests.first { true } else { false }
        }
        for _ in 0..<10 where !isSaveNext() {
            world.serve(1)
            if !world.people[1].lines.isEmpty { world.receive(1) }
            while !world.people[1].requests.contains(where: { if case .write = $0 { true } else { false } }),
                !world.people[1].lines.isEmpty
            { world.receive(1) }
        }
        try #require(isSaveNext())
        #expect(world.daemon.text == "two\n")
        world.daemon.refusals = [WireError(kind, "refused")]
        world.serve(1)
        while !world.people[1].lines.isEmpty { world.receive(1) }
        #expect(world.texts[1] == "six\n" && !world.people[1].session.isSaved)
        world.wait(.seconds(2))
        #expect(world.people[1].hasDraft && world.texts[1] == "six\n")
        world.become("seven\n", by: 1)
        let isQuiet = world.settle()
        try #require(isQuiet)
        #expect(world.daemon.text.contains("seven") && world.daemon.text.contains("two") && world.daemon.conflicts == 1)
        #expect(!world.people[1].hasDraft)
    }
}
