import Foundation

/// A store of notes of about 1 kB with five links each, of which some lead to known targets.
struct LinkedNotes {
    let count: Int
    /// The numbers of notes with a link to `few` and to `many`.
    static let (few, many) = (100, 1_000)
    private var random = SeededRandom(seed: 1)

    init(count: Int) { self.count = count }

    static func name(_ number: Int) -> String { "bench/\(number / 1_000)/note\(number)" }
    /// The first word of a note, which no other note has.
    static func word(_ number: Int) -> String { "only\(number)here" }

    /// Creates the notes, the targets first.
    ///
    /// - Returns: the id of the target of `few` links.
    mutating func create(on client: Client) throws(Failure) -> String {
        let few = try client.call(.createNote(json: "\"few\\n\"", name: "targets/few")).required(Keys.id)
        _ = try client.call(.createNote(json: "\"many\\n\"", name: "targets/many"))
        for start in stride(from: 0, to: count, by: FilledStore.inFlight) {
            let numbers = start..<min(start + FilledStore.inFlight, count)
            var requests: [Request] = []
            for number in numbers { requests.append(.createNote(json: text(number), name: Self.name(number))) }
            try client.send(requests)
            for _ in numbers { _ = try client.nextAnswer() }
        }
        return few
    }

    /// A text as a JSON string.
    private mutating func text(_ number: Int) -> String {
        var links = (0..<4).map { _ in "note\(random.below(count))" }
        links.append(isChosen(number, among: Self.few) ? "few" : "note\(random.below(count))")
        if isChosen(number, among: Self.many) { links.append("many") }
        var text = "\"" + Self.word(number)
        for link in links { text += " [[\(link)]] " + String(repeating: "words between links ", count: 9) + "\\n" }
        return text + "\\n\""
    }

    /// Whether a note is among this many, which are spread evenly.
    private func isChosen(_ number: Int, among wanted: Int) -> Bool {
        number % (count / wanted) == 0 && number / (count / wanted) < wanted
    }
}
