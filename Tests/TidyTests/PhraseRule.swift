import Foundation

/// A sequence of tokens that is banned in part of the code.
struct BannedPhrase {
    /// Successive words and marks, such as `["try", "!"]`.
    let phrase: [String]
    let scope: Scope
    let why: String

    enum Scope {
        /// Layers 0 and 1, and `Dependents`: state machines and rules that get the time as a
        /// parameter and never wait.
        case pure
        case sources
        case sourcesBelowPrograms
        case everywhere

        func includes(_ source: SwiftSource) -> Bool {
            let layer = ImportTable.rows.first { $0.target == source.target }?.layer
            switch self {
            case .pure: return !source.isTest && (source.target == "Dependents" || layer.map { $0 <= 1 } ?? false)
            case .sources: return !source.isTest
            case .sourcesBelowPrograms: return !source.isTest && layer.map { $0 < 8 } ?? true
            case .everywhere: return true
            }
        }
    }

    static let all = [
        BannedPhrase(phrase: ["Foundation"], scope: .pure, why: "needs no platform"),
        BannedPhrase(phrase: ["FoundationEssentials"], scope: .pure, why: "needs no platform"),
        BannedPhrase(phrase: ["Date", "("], scope: .pure, why: "time comes in as a parameter"),
        BannedPhrase(phrase: ["UUID", "("], scope: .pure, why: "identity comes in as a parameter"),
        BannedPhrase(phrase: [".", "random"], scope: .pure, why: "randomness comes in as a parameter"),
        BannedPhrase(phrase: ["SystemRandomNumberGenerator"], scope: .pure, why: "randomness comes in as a parameter"),
        BannedPhrase(phrase: ["Task"], scope: .pure, why: "is synchronous"),
        BannedPhrase(phrase: ["await"], scope: .pure, why: "is synchronous"),
        BannedPhrase(phrase: ["print", "("], scope: .sourcesBelowPrograms, why: "only the programs write to the terminal"),
        BannedPhrase(phrase: ["try", "!"], scope: .sources, why: "an operating error is a value"),
        BannedPhrase(phrase: ["as", "!"], scope: .sources, why: "a failure is returned, not trapped"),
        BannedPhrase(phrase: ["fatalError", "("], scope: .sources, why: "`preconditionFailure` names the programmer's error"),
        BannedPhrase(phrase: ["@", "unchecked"], scope: .sources, why: "the compiler proves what is sendable"),
        BannedPhrase(phrase: ["nonisolated", "(", "unsafe", ")"], scope: .sources, why: "the compiler proves what is isolated"),
        BannedPhrase(phrase: ["public"], scope: .everywhere, why: "targets see each other by `package`"),
        BannedPhrase(phrase: ["open", "class"], scope: .everywhere, why: "targets see each other by `package`"),
        BannedPhrase(phrase: ["import", "XCTest"], scope: .everywhere, why: "tests are written with Swift Testing"),
    ]
}

/// An exception to a rule, with its reason. An exception that nothing needs is a finding itself.
struct PhraseException {
    let path: String
    let phrase: [String]
    let reason: String
}

enum PhraseRule {
    static let exceptions: [PhraseException] = []

    static func findings(in sources: [SwiftSource], exceptions: [PhraseException] = exceptions) -> [Finding] {
        var unused = Set(exceptions.indices)
        var findings: [Finding] = []
        for source in sources {
            for banned in BannedPhrase.all where banned.scope.includes(source) {
                let lines = source.places(of: banned.phrase).map { source.tokens[$0].line }
                guard !lines.isEmpty else { continue }
                if let place = exceptions.firstIndex(where: { $0.path == source.path && $0.phrase == banned.phrase }) {
                    unused.remove(place)
                    continue
                }
                let message = "`\(banned.phrase.joined())`: \(banned.why)"
                findings += lines.map { Finding(path: source.path, line: $0, message: message) }
            }
        }
        findings += unused.sorted().map { place in
            let exception = exceptions[place]
            return Finding(path: exception.path, line: 0, message: "needs no exception for `\(exception.phrase.joined())`")
        }
        return findings
    }

    /// Finds optionals that are unwrapped with a trap.
    static func forcedUnwraps(in source: SwiftSource) -> [Finding] {
        guard !source.isTest else { return [] }
        return source.places(of: "!").compactMap { index in
            guard !source.tokens[index].isSpaced, let before = source.token(index - 1),
                before.kind == .word || before.text == ")" || before.text == "]", !["try", "as"].contains(before.text)
            else { return nil }
            let isUnequal = source.token(index + 1).map { $0.text == "=" && !$0.isSpaced } ?? false
            return isUnequal ? nil : Finding(path: source.path, line: before.line, message: "`\(before.text)!` traps on nil")
        }
    }

    /// Finds the words that commonly mark unfinished work.
    static func leftForLater(path: String, text: String) -> [Finding] {
        let marks = ["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK"]
        guard marks.contains(where: { text.range(of: $0) != nil }) else { return [] }
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { number, line in
            let words = line.split { !($0.isASCII && $0.isLetter) }
            guard let mark = words.first(where: { marks.contains(String($0)) }) else { return nil }
            return Finding(path: path, line: number + 1, message: "`\(mark)`: unfinished work does not belong in the source")
        }
    }

    /// Finds absolute paths that exist on one machine only.
    static func machinePaths(path: String, text: String) -> [Finding] {
        let places = ["work", "root", "farm"].map { "/\($0)/" }
        guard places.contains(where: { text.range(of: $0) != nil }) else { return [] }
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { number, line in
            guard line.contains(/(?:^|[^\w\-.~)}*\/])\/(?:work|root|farm)\/[a-z.]/) else { return nil }
            return Finding(path: path, line: number + 1, message: "names a path of one machine")
        }
    }
}
