import ArgumentParser
import Glibc
import NotesModel
import TestKit
import Testing

@testable import notesctl

/// Help texts are golden files in `Help/`; `NOTESD_WRITE_GOLDEN=1` writes them anew.
struct HelpTests {
    @Test func helpTexts_areAsTheyWereAgreed() throws {
        try check("notesctl", Notesctl.helpMessage(columns: 80))
        for command in Notesctl.configuration.subcommands {
            try check(command._commandName, Notesctl.helpMessage(for: command, columns: 80))
        }
    }

    @Test func everySubcommandHasExamples_andTheSameOptions() {
        for command in Notesctl.configuration.subcommands {
            let help = Notesctl.helpMessage(for: command, columns: 80)
            for part in ["Examples:\n", "--socket <path>", "--json"] { #expect(help.contains(part), "\(command): \(part)") }
        }
    }

    private func check(_ name: String, _ help: String) throws {
        let folder = #filePath.split(separator: "/").dropLast(2).map { "/\($0)" }.joined() + "/Help"
        let path = Array("\(folder)/\(name).txt".utf8)
        if environment("NOTESD_WRITE_GOLDEN") != nil {
            mkdir(folder, 0o777)
            return try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644).writeAll(Array(help.utf8))
        }
        let agreed = try Descriptor.open(path, O_RDONLY).readAll()
        #expect(help == String(decoding: agreed, as: UTF8.self))
    }
}
