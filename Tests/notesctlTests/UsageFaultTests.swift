import ArgumentParser
import Console
import Testing

@testable import notesctl

/// Tests of the errors for wrong command lines.
struct UsageFaultTests {
    /// The error that notesctl prints for a command line; nil if it accepts it.
    private func fault(_ words: String...) -> ExitFailure? {
        let words = Arguments.rewritten(words)
        if let fault = CommandTable.fault(in: words) ?? UsageFault.cluster(in: words) { return fault }
        do { _ = try Notesctl.parseAsRoot(words) } catch {
            return Notesctl.exitCode(for: error) == .validationFailure
                ? UsageFault.rejected(words, Notesctl.message(for: error)) : nil
        }
        return nil
    }

    @Test(arguments: [
        ["rm", "-dash"], ["show", "-dash"], ["show", "-x"], ["-dash"], ["-dash", "rm", "a"], ["rm", "a", "-dash"], ["rm", "-0h"],
        ["status", "-help"], ["list", "-hh"], ["op", "-dash"], ["op", "undo", "-oh"], ["help", "-dash"],
    ])
    func wordThatBeginsWithDash_isNoHelp(words: [String]) throws {
        let failure: ExitFailure?
        switch words.count {
        case 1: failure = fault(words[0])
        case 2: failure = fault(words[0], words[1])
        default: failure = fault(words[0], words[1], words[2])
        }
        let word = try #require(words.first { $0.hasPrefix("-") })
        #expect(failure?.code == .usage && failure?.message.contains("`\(word)`;") == true, "\(words): \(failure?.message ?? "")")
    }

    @Test func dashedNote_isGivenAfterTwoDashes() {
        #expect(
            fault("rm", "-dash")?.message
                == "`rm` has no option `-dash`; to name a note that begins with -, write `notesctl rm -- -dash`")
        #expect(fault("show", "-x y")?.message.hasSuffix("write `notesctl show -- '-x y'`") == true)
        #expect(
            fault("search", "-draft")?.message.hasSuffix(
                "to give an argument that begins with -, write `notesctl search -- -draft`") == true)
        #expect(fault("status", "-x")?.message == "`status` has no option `-x`; `notesctl status --help` lists the options")
        #expect(fault("rm", "--", "-dash") == nil && fault("filter", "a", "--", "sort", "-rnh") == nil)
    }

    @Test func optionsAndTheirValues_areAccepted() throws {
        #expect(fault("list", "-0", "--json") == nil && fault("log", "-n", "5") == nil && fault("new", "a", "-") == nil)
        for option in ["-t", "--text"] {
            let words = Arguments.rewritten(["append", "a", option, "-h and the rest"])
            #expect(UsageFault.cluster(in: words) == nil)
            #expect((try Notesctl.parseAsRoot(words) as? AppendCommand)?.text == "-h and the rest")
        }
        #expect(fault("append", "a", "-t")?.message.hasPrefix("missing value for") == true)
        #expect(
            fault("list", "--prefix", "-x")?.message
                == "`--prefix` needs a value; for one that begins with -, write `--prefix=-x`")
    }

    @Test func everyUsageError_isOneLineWithAHint() {
        #expect(fault("show")?.message == "missing expected argument `<note>`; `notesctl show --help` shows the usage")
        #expect(fault("list", "--prefxi", "a")?.message == "`list` has no option `--prefxi`; did you mean `--prefix`?")
        #expect(fault("show", "a", "b")?.message == "unexpected argument `b`; `notesctl show --help` shows the usage")
        #expect(fault("log", "-n", "x")?.message.hasPrefix("the value `x` is invalid for `-n <count>`") == true)
        #expect(fault("mv", "a")?.message.hasSuffix("; `notesctl mv --help` shows the usage") == true)
        #expect(UsageFault.sentence("Give FILE, not 'both'.") == "give FILE, not `both`")
        #expect(UsageFault.sentence("-n must be at least 1.") == "-n must be at least 1")
    }

    @Test func wordsAfterANoteOfAppend_areText() {
        #expect(
            fault("append", "a", "more", "text")?.message
                == "`append` reads only one file; to add words, write `notesctl append a --text 'more text'`")
    }

    @Test func synonyms_nameCommandsAndAreNone() {
        let names = CommandTable.all.map(\.name)
        for (word, command) in CommandTable.synonyms {
            #expect(names.contains(command) && !names.contains(word), "\(word)")
            #expect(fault(word)?.message.hasPrefix("there is no command `\(word)`; did you mean `\(command)`?") == true)
        }
    }
}
