import Console
import NoteText
import NotesWire
import StrictJSON
import TestKit
import Testing

@testable import NoteTasks

/// Tests of `--json=fields`, `--format` and `-0`.
struct RecordWriterTests {
    private let note = bytes(
        #"{"id":"n1","name":null,"title":"T\u001b[31m","tags":["a","b"],"author":{"user":"ada","label":null},"bytes":12,"deleted":false,"sides":[{"x":1}]}"#
    )

    private func emit(_ form: RecordWriter.Form, terminator: UInt8 = 10, isForTerminal: Bool = false) throws -> String {
        let recordWriter = RecordWriter(form: form, terminator: terminator, isForTerminal: isForTerminal)
        return String(decoding: try recordWriter.text(of: note), as: UTF8.self)
    }

    @Test func json_isTheDaemonsOutput() throws {
        #expect(try emit(.json) == String(decoding: note, as: UTF8.self) + "\n")
        #expect(try emit(.json, terminator: 0).hasSuffix("}\0"))
    }

    @Test func fields_keepRequestedOrder_withNullIfMissing() throws {
        #expect(try emit(.fields(FieldPath.list("bytes,id"))) == #"{"bytes":12,"id":"n1"}"# + "\n")
        #expect(
            try emit(.fields(FieldPath.list("author.user,author.no,name,sides")))
                == #"{"author.user":"ada","author.no":null,"name":null,"sides":[{"x":1}]}"# + "\n")
        for wrong in ["", "a,", "a..b", ".a", ","] { #expect(throws: ExitFailure.self, "\(wrong)") { try FieldPath.list(wrong) } }
    }

    @Test(arguments: [
        (#"{id}"#, "n1"), (#"{name}"#, ""), (#"{tags}"#, "a,b"), (#"{author.user}/{author.label}"#, "ada/"),
        (#"{bytes}\t{deleted}"#, "12\tfalse"), (#"\{{id}\}\\ \n"#, "{n1}\\ \n"), (#"{sides}"#, #"[{"x":1}]"#),
        (#"{author}"#, #"{"user":"ada","label":null}"#), ("plain", "plain"), ("", ""), ("日{id}本", "日n1本"),
    ])
    func template_fillsInFields(template: String, text: String) throws {
        #expect(try emit(.template(Template(template))) == text + "\n")
    }

    @Test(arguments: ["{id", "id}", "{}", "{a..b}", #"\x"#, #"\"#])
    func invalidTemplate_isRefused(template: String) {
        let failure = #expect(throws: ExitFailure.self) { try Template(template) }
        #expect(failure?.code == .usage)
    }

    /// For random texts, a template made of the escaped text yields the text.
    @Test(arguments: seeds(50))
    func escapedText_roundTrips(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let marks = ["{", "}", "\\", "\n", "\t", "a", "é", "日", " ", "\0"]
        let text = (0..<generator.below(40)).map { _ in generator.pick(marks) }.joined()
        var template = text.replacing("\\", with: "\\\\").replacing("{", with: "\\{").replacing("}", with: "\\}")
        template = template.replacing("\n", with: "\\n").replacing("\t", with: "\\t").replacing("\0", with: "\\0")
        #expect(try emit(.template(Template(template))) == text + "\n", "seed \(seed)")
    }

    /// On a terminal, the output has no control characters, and JSON keeps its meaning.
    @Test func terminalOutput_escapesControlCharacters() throws {
        let raw = "a\u{9B}b\u{7F}c\u{202E}d"
        var writer = JSONWriter()
        writer.object { $0.member("title", raw) }
        for form in [RecordWriter.Form.json, .fields(try FieldPath.list("title")), .template(try Template("{title}"))] {
            let recordWriter = RecordWriter(form: form, terminator: 10, isForTerminal: true)
            let text = String(decoding: try recordWriter.text(of: writer.bytes), as: UTF8.self)
            #expect(text.dropLast().unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F }, "\(text)")
            if case .template = form { continue }
            let parsed = try JSONDocument(parsing: bytes(text), depthMax: 4).root
            #expect(parsed["title"]?.string == ByteString(raw))
        }
    }

    @Test func namedFields_areTopLevelParts() throws {
        let recordWriter = RecordWriter(form: .template(try Template("{author.user} {id}")), terminator: 10, isForTerminal: false)
        #expect(recordWriter.fields == ["author", "id"])
    }
}
