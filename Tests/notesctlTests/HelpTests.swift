import ArgumentParser
import Console
import Glibc
import NotesModel
import TestKit
import Testing

@testable import notesctl

/// Help texts are golden files in `Help/`; `NOTESD_WRITE_GOLDEN=1` rewrites them.
struct HelpTests {
    @Test func helpTexts_matchTheirFiles() throws {
        try check("notesctl", Notesctl.helpMessage(columns: 80))
        for (name, type) in CommandTable.all {
            try check(name, Notesctl.helpMessage(for: type, columns: 80))
            for below in type.configuration.subcommands {
                try check("\(name)-\(below._commandName)", Notesctl.helpMessage(for: below, columns: 80))
            }
        }
        for topic in HelpTopic.all { try check("help-\(topic.name)", topic.text + "\n") }
    }

    @Test func help_beginsWithExamples_andHasCommonOptions() {
        for (name, type) in CommandTable.leaves {
            let help = Notesctl.helpMessage(for: type, columns: 80)
            #expect(help.split(separator: "\n").dropFirst().first == "Examples:", "\(name)")
            for part in ["--socket <path>", "--json", "--format <template>", "-0, --null"] {
                #expect(help.contains(part), "\(name): \(part)")
            }
        }
        for topic in HelpTopic.all { #expect(topic.text.hasPrefix("Examples:\n"), "\(topic.name)") }
    }

    @Test func topicLines_fitTheTerminal() {
        for topic in HelpTopic.all where topic.name != "formats" {
            for line in topic.text.split(separator: "\n") { #expect(line.count <= 120, "\(topic.name): \(line)") }
        }
    }

    /// The table declares only the named command to the parser, so both must use the same names.
    @Test func commandTable_matchesCommandNames() {
        for (name, type) in CommandTable.all {
            #expect(type._commandName == name)
            let parsed = CommandTable.parsed([name, "--help"]).flatMap(\.subcommands)
            #expect(parsed.count == 1 && parsed.first?._commandName == name)
        }
        #expect(CommandTable.parsed(["--help"]).flatMap(\.subcommands).count > CommandTable.all.count)
    }

    @Test func misspelledWords_getSuggestions() {
        #expect(CommandTable.fault(in: ["lisst"])?.message.contains("did you mean `list`?") == true)
        #expect(CommandTable.fault(in: ["lst"])?.message.contains("did you mean `list` or `lsp`?") == true)
        #expect(CommandTable.fault(in: ["help", "exitcodes"])?.message.contains("did you mean `exit-codes`?") == true)
        #expect(CommandTable.fault(in: ["qqqqqq"])?.message == "there is no command `qqqqqq`; `notesctl help` lists the commands")
        #expect(CommandTable.fault(in: ["qqqqqq"])?.code == .usage)
        for words in [
            [], ["list"], ["--version"], ["help"], ["help", "show"], ["help", "query"], ["help", "--help"], ["op", "x"],
        ] {
            #expect(CommandTable.fault(in: words) == nil, "\(words)")
        }
    }

    private func check(_ name: String, _ help: String) throws {
        let folder = #filePath.split(separator: "/").dropLast(1).map { "/\($0)" }.joined() + "/Help"
        let path = Array("\(folder)/\(name).txt".utf8)
        if environment("NOTESD_WRITE_GOLDEN") != nil {
            mkdir(folder, 0o777)
            return try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644).writeAll(Array(help.utf8))
        }
        let agreed = try Descriptor.open(path, O_RDONLY).readAll()
        #expect(help == String(decoding: agreed, as: UTF8.self), "\(name)")
    }
}
