import ArgumentParser
import TestKit
import Testing

@testable import notesctl

struct ArgumentsTests {
    @Test(arguments: [
        (["list", "--json=id,name"], ["list", "--json", "--fields=id,name"]), (["list", "--json"], ["list", "--json"]),
        (["--json="], ["--json", "--fields="]), ([], []),
        (["filter", "a", "--", "jq", "--json=x"], ["filter", "a", "--", "jq", "--json=x"]),
        (
            ["filter", "a", "--json=id", "--", "--json=x", "--"],
            ["filter", "a", "--json", "--fields=id", "--", "--json=x", "--"]
        ),
        (["--socket", "/s", "list"], ["list", "--socket", "/s"]), (["--socket", "/s"], ["--socket", "/s"]),
        (["--socket=/s", "-0", "--json=id", "op", "undo"], ["op", "undo", "--socket=/s", "-0", "--json", "--fields=id"]),
        (["--format", "{id}", "filter", "a", "--", "sort"], ["filter", "--format", "{id}", "a", "--", "sort"]),
        (["--json", "append", "log", "-t"], ["append", "--json", "log", "-t"]),
        (["--json", "op"], ["op", "--json"]), (["--json", "config", "x"], ["config", "--json", "x"]),
        (["--socket"], ["--socket"]), (["--version"], ["--version"]),
    ])
    func jsonWithFields_becomesTwoOptions_andWhatAllHave_standsBehindTheCommand(words: [String], rewritten: [String]) {
        #expect(Arguments.rewritten(words) == rewritten)
    }

    @Test func theParserTakesWhatBecameOfThem() throws {
        let command = try #require(try Notesctl.parseAsRoot(Arguments.rewritten(["list", "--json=id,name", "-0"])) as? List)
        #expect(command.options.json && command.options.fields == "id,name" && command.options.null)
    }

    /// The shortcut that bypasses the parser gives the parser's result, and applies to nothing
    /// else.
    @Test func showOfOneNote_isTheSameWithoutTheParser() throws {
        for word in ["work/inbox", "", "日記", "a b"] {
            let (plain, parsed) = (
                try #require(Show.plain(["show", word])), try #require(try Notesctl.parseAsRoot(["show", word]) as? Show)
            )
            #expect(plain.note == parsed.note && plain.at == parsed.at && plain.rendered == parsed.rendered)
            let (left, right) = (plain.options, parsed.options)
            #expect(left.socket == right.socket && left.fields == right.fields && left.format == right.format)
            #expect(left.json == right.json && left.null == right.null && left.noPager == right.noPager)
        }
        let (plain, parsed) = (
            try #require(Show.plain(["show", "--socket", "/s", "a"])),
            try #require(try Notesctl.parseAsRoot(["show", "--socket", "/s", "a"]) as? Show)
        )
        #expect(plain.note == parsed.note && plain.options.socket == parsed.options.socket)
        for words in [
            ["show", "--socket"], ["show", "--socket", "/s"], ["show", "--socket", "/s", "-r"], ["show", "--socket", "-r", "a"],
        ] {
            #expect(Show.plain(words)?.note == nil, "\(words)")
        }
        for words in [["show"], ["show", "-r"], ["show", "--help"], ["show", "a", "b"], ["list", "a"], ["help", "show"], []] {
            #expect(Show.plain(words)?.note == nil, "\(words)")
        }
    }

    @Test func wrongFields_areRefusedBeforeAnythingIsDone() throws {
        func failure(_ words: [String]) throws -> ExitFailure? {
            let command = try #require(try Notesctl.parseAsRoot(Arguments.rewritten(words)) as? any NotesCommand)
            do { try command.options.check(type(of: command)) } catch { return error as? ExitFailure }
            return nil
        }
        #expect(try failure(["list", "--json=id,nmae"])?.message.contains("did you mean `name`?") == true)
        #expect(try failure(["list", "--format", "{titel}"])?.message.contains("did you mean `title`?") == true)
        #expect(try failure(["rm", "a", "--json=id"])?.code == .usage)
        #expect(try failure(["list", "--json", "--format", "{id}"])?.code == .usage)
        #expect(try failure(["list", "-0"])?.message.contains("-0") == true)
        #expect(try failure(["list", "--json=author.user"]) == nil)
        #expect(try failure(["list", "--format", "{id}", "-0"]) == nil)
    }

    @Test func theSystemsSocket_isTakenWhereTheUserHasNone() {
        let (own, system) = ("/run/user/1000/notesd/notesd.sock", GlobalOptions.systemSocket)
        func chosen(_ own: String?, _ there: String...) -> String? {
            GlobalOptions.defaultSocket(own: own, isThere: there.contains)
        }
        #expect(chosen(own, own, system) == own && chosen(own, own) == own)
        #expect(chosen(own, system) == system && chosen(nil, system) == system)
        #expect(chosen(own) == own, "the option reported as incomplete is the user's own")
        #expect(chosen(nil) == nil)
    }

    /// Compares the distance with a naive recursive definition.
    @Test(arguments: seeds(200))
    func distance_isThatOfTheDefinition(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func word() -> [Unicode.Scalar] { (0..<generator.below(6)).map { _ in generator.pick(["a", "b", "c"]) } }
        let (left, right) = (word(), word())
        func slow(_ i: Int, _ j: Int) -> Int {
            if i == 0 || j == 0 { return max(i, j) }
            var best = min(slow(i - 1, j) + 1, slow(i, j - 1) + 1, slow(i - 1, j - 1) + (left[i - 1] == right[j - 1] ? 0 : 1))
            if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] { best = min(best, slow(i - 2, j - 2) + 1) }
            return best
        }
        #expect(NearWords.distance(left, right) == slow(left.count, right.count), "seed \(seed)")
        #expect(NearWords.distance(left, right) == NearWords.distance(right, left))
    }

    @Test func nearWords_areTheNearestFirst() {
        let names = ["work/inbox", "work/index", "home", "recipes/bread"]
        #expect(NearWords.of("work/inbux", among: names) == ["work/inbox", "work/index"])
        #expect(NearWords.of("inbox", among: names).first == "work/inbox")
        #expect(NearWords.of("Bread", among: names) == ["recipes/bread"])
        #expect(NearWords.of("zzz", among: names).isEmpty)
        #expect(NearWords.question("x", among: []) == ";")
        #expect(NearWords.question("hme", among: names) == "; did you mean `home`?")
    }
}
