/// Checks of searches (section 4 of the protocol): a search finds every write that was answered before
/// it was sent, which is part of G3.
extension Checker {
    /// Checks the searches that were sent after the last write was answered: each note that matches is
    /// found, and no other note of the workload.
    ///
    /// Only queries of phrases are checked: `"w w"`, in the name or the text, and `name:"w w"`.
    mutating func checkSearches() {
        let lastWrite = history.writes.compactMap(\.answeredAt).max() ?? 0
        var checked = 0
        for call in history.calls where call.method == "note.search" && call.sentAt > lastWrite {
            guard let query = call.params["query"]?.word, let phrases = Phrase.all(in: query), let result = call.result,
                let answered = call.answeredAt
            else { continue }
            let hits = Set((result["hits"]?.elements ?? []).compactMap { $0["note"]?["id"]?.word })
            let isWhole = result["next"]?.isNull == true && result["truncated"]?.flag == false
            for (note, showing) in lastShowings.sorted(by: { $0.key < $1.key }) {
                guard let facts = showing.facts, let text = showing.text,
                    let read = showing.call.map({ history.calls[$0].sentAt }), read > lastWrite
                else { continue }
                let name = Words.of(Array((facts.name ?? "").utf8))
                let words = Words.of(text)
                let matches = !facts.isDeleted && phrases.allSatisfy { $0.occurs(inName: name, inText: words) }
                if matches { checked += 1 }
                if matches, isWhole, !hits.contains(note) {
                    broken(
                        .durableFirst, "a search for \(query) did not find \(note) at \(showing.version)",
                        [showing.at, call.sentAt, answered])
                } else if !matches, hits.contains(note) {
                    broken(
                        .durableFirst, "a search for \(query) found \(note) at \(showing.version), which does not match",
                        [showing.at, call.sentAt, answered])
                }
            }
        }
        count(.durableFirst, checked, "notes that a search had to find")
    }
}

/// A phrase of a query.
private struct Phrase {
    let words: [String]
    let isOfName: Bool

    /// The phrases of a query; nil if it has anything else.
    static func all(in query: String) -> [Phrase]? {
        var phrases: [Phrase] = []
        for part in query.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
            if part.offset % 2 == 1 {
                phrases[phrases.count - 1] = Phrase(
                    words: Words.of(Array(part.element.utf8)), isOfName: phrases[phrases.count - 1].isOfName)
            } else {
                switch part.element.trimmingPrefix(" ") {
                case "name:": phrases.append(Phrase(words: [], isOfName: true))
                case "": phrases.append(Phrase(words: [], isOfName: false))
                default: return nil
                }
            }
        }
        // After the last phrase comes an empty part.
        phrases.removeLast()
        return phrases.isEmpty || phrases.contains { $0.words.isEmpty } ? nil : phrases
    }

    func occurs(inName name: [String], inText text: [String]) -> Bool {
        occurs(in: name) || !isOfName && occurs(in: text)
    }

    private func occurs(in text: [String]) -> Bool {
        guard text.count >= words.count else { return false }
        return (0...(text.count - words.count)).contains { text[$0..<$0 + words.count].elementsEqual(words) }
    }
}

/// The words of a text, as the protocol defines them for searching, as far as the workload's texts need
/// it.
private enum Words {
    static func of(_ text: [UInt8]) -> [String] {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        func end() {
            if !word.isEmpty { words.append(String(word).lowercased()) }
            word = String.UnicodeScalarView()
        }
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            if scalar.properties.isIdeographic {
                end()
                words.append(String(scalar))
            } else if isInWord(scalar) {
                word.append(scalar)
            } else {
                end()
            }
        }
        end()
        return words
    }

    private static func isInWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark, .spacingMark,
            .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
            true
        default: false
        }
    }
}
