import Causality
import ClientTestKit

@testable import FolderSync

/// Bytes of a text with these lines.
func fileText(_ lines: [String]) -> [UInt8] { lines.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] } }
func fileText(_ lines: String...) -> [UInt8] { fileText(lines) }
func marks(_ lines: String...) -> LineMarks { LineMarks(fileText(lines)) }

/// A version with a number.
func version(_ number: Int) -> Version { Canned.version(UInt64(number + 1)) }

/// A list whose texts are remembered, so that the rule can read them.
struct ShownFile {
    var shown: ShownTexts
    private(set) var texts: [Int: [UInt8]] = [:]
    var time: Int64 = 0

    init(_ lines: [String]) {
        shown = ShownTexts(version(0), LineMarks(fileText(lines)), at: 0)
        texts[0] = fileText(lines)
    }

    init(noFileBefore lines: [String]) {
        shown = .noFile(at: 0)
        put(lines)
    }

    private var number: Int { shown.firstNumber + shown.entries.count - 1 }

    /// The mirror puts in a text.
    mutating func put(_ lines: [String], after wait: Int64 = 4_000) {
        time += wait
        shown.put(version(number + 1), LineMarks(fileText(lines)), at: time)
        texts[number] = fileText(lines)
    }

    /// The mirror puts in a text, finds that a program has just changed the file, and exchanges them back.
    mutating func putForAMoment(_ lines: [String]) {
        shown.putForAMoment(version(number + 1), LineMarks(fileText(lines)), at: time)
        texts[number] = fileText(lines)
    }

    /// A program saves a text, and the note then has it. Returns the number of its base.
    @discardableResult
    mutating func save(_ lines: [String], isAnswered: Bool = false, after wait: Int64 = 4_000) -> Int {
        time += wait
        let base = base(of: lines)
        shown.saved(LineMarks(fileText(lines)), as: version(number + 1), on: base, at: time, isAnswered: isAnswered)
        texts[number] = fileText(lines)
        return base
    }

    /// The number of the base that a text would have now.
    func base(of lines: [String], how way: BaseRule.Way = .other, isReadable: Bool = true) -> Int {
        BaseRule(of: fileText(lines), in: shown, at: time, how: way).base { isReadable ? texts[$0] : nil }
    }

    /// The lines of others that a save of a text would remove now.
    func taken(by lines: [String], how way: BaseRule.Way = .other) -> TakenLines? {
        BaseRule(of: fileText(lines), in: shown, at: time, how: way).takenOut(on: base(of: lines, how: way))
    }
}
