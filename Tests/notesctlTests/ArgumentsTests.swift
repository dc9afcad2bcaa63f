import ArgumentParser
import Console
import NoteTasks
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
    func arguments_areRewrittenForTheParser(words: [String], rewritten: [String]) {
        #expect(Arguments.rewritten(words) == rewritten)
    }

    @Test func parser_acceptsRewrittenArguments() throws {
        let command = try #require(
            try Notesctl.parseAsRoot(Arguments.rewritten(["list", "--json=id,name", "-0"])) as? ListCommand)
        #expect(command.options.json && command.options.fields == "id,name" && command.options.null)
    }

    @Test func invalidFields_areRefusedFirst() throws {
        func failure(_ words: [String]) throws -> ExitFailure? {
            let command = try #require(try Notesctl.parseAsRoot(Arguments.rewritten(words)) as? any NotesCommand)
            do { try command.options.check(type(of: command)) } catch { return error as? ExitFailure }
            return nil
        }
        #expect(try failure(["list", "--json=id,nmae"])?.message.contains("did you mean `name`?") == true)
        #expect(try failure(["list", "--format", "{titel}"])?.message.contains("did you mean `title`?") == true)
        #expect(try failure(["rm", "a", "--json=id"])?.code == .usage)
        #expect(try failure(["op", "--json=id"])?.message.contains("`notesctl op log` has: op,") == true)
        #expect(try failure(["list", "--json", "--format", "{id}"])?.code == .usage)
        #expect(try failure(["list", "-0"])?.message.contains("-0") == true)
        #expect(try failure(["list", "--json=author.user"]) == nil)
        #expect(try failure(["list", "--format", "{id}", "-0"]) == nil)
    }
}
