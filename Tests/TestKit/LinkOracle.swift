import Foundation
package import NoteText
package import NotesModel

/// A set of notes, and what a link in one of them means: computed rule by rule over all notes,
/// independently of the keys and tables that the daemon uses.
package struct LinkOracle: Sendable {
    /// A living note.
    package struct Note: Sendable {
        package let id: NoteID
        package var name: String?
        package var text: String

        package init(id: NoteID, name: String?, text: String) {
            self.id = id
            self.name = name
            self.text = text
        }

        package var noteName: NoteName? { name.map { TestKit.name($0) } }

        package var isFile: Bool { FileContent.isFile(bytes(text)) }

        /// The labels by which links find the note.
        package var labels: NoteLabels {
            isFile
                ? NoteLabels(name: noteName?.bytes, aliases: [], title: "") : NoteLabels(name: noteName, text: bytes(text))
        }
    }

    package var notes: [Note]

    package init(_ notes: [Note]) {
        self.notes = notes
    }

    /// The note that a target means in a note with a name.
    package func meaning(of target: LinkTarget, inNoteNamed source: String?) -> NoteID? {
        let text = target.text.description
        if target.kind == .id { return notes.first { "\($0.id)" == text }?.id }
        let here = parts(source ?? "").dropLast().joined(separator: "/")
        return LinkOracle(notes.filter { !$0.isFile }).meaning(of: target, text, here: here)
            ?? LinkOracle(notes.filter(\.isFile)).meaning(of: target, text, here: here)
    }

    /// The meaning among notes of one kind.
    private func meaning(of target: LinkTarget, _ text: String, here: String) -> NoteID? {
        let isPath = target.kind == .path
        for text in [text, isPath ? target.beforeQuery?.description : nil].compactMap({ $0 }) {
            for matches in rules(text, isPath: isPath, here: here) {
                let found = notes.filter(matches)
                if let best = found.min(by: { order($0, here: here).lexicographicallyPrecedes(order($1, here: here)) }) {
                    return best.id
                }
            }
            if !isPath, !text.contains("/"), let only = leadingID(text) { return only }
        }
        return nil
    }

    /// The conditions of the rules except that of leading ids, in order.
    private func rules(_ target: String, isPath: Bool, here: String) -> [(Note) -> Bool] {
        let words = parts(target)
        guard let last = words.last, !["", ".", ".."].contains(last) else { return [] }
        let isRelative = words[0] == "." || words[0] == ".."
        let isRooted = target.utf8.first == UInt8(ascii: "/")
        var rules: [(Note) -> Bool] = []
        for written in [target, withoutExtension(target)].compactMap({ $0 }) {
            if isRelative || isPath && !isRooted, let whole = resolve(here, written) {
                rules.append { note in note.name.map { bytes($0) == bytes(whole) } == true }
                rules.append { note in note.name.map { fold($0) == fold(whole) } == true }
            }
            if isRelative { continue }
            let whole = isRooted ? String(Substring(written.unicodeScalars.dropFirst())) : written
            rules.append { note in note.name.map { bytes($0) == bytes(whole) } == true }
            rules.append { note in note.name.map { fold($0) == fold(whole) } == true }
            if isRooted { continue }
            rules.append { note in
                note.name.map {
                    fold($0).count > fold(written).count && fold($0).suffix(fold(written).count + 1) == fold("/" + written)
                }
                    == true
            }
        }
        if !isPath, !isRelative, !isRooted {
            rules.append { note in note.labels.aliases.contains { fold($0.description) == fold(target) } }
            rules.append { note in !note.labels.title.isEmpty && fold(note.labels.title.description) == fold(target) }
        }
        return rules
    }

    private func leadingID(_ target: String) -> NoteID? {
        let word = withoutExtension(target) ?? target
        let found = notes.filter { note in
            !note.isFile && note.labels.leadingID.map { fold($0.description) == fold(word) } == true
        }
        return found.count == 1 ? found[0].id : nil
    }

    /// Beneath the folder first; then by length in UTF-16 units, bytes and id, all as one key.
    private func order(_ note: Note, here: String) -> [UInt64] {
        guard let name = note.name else { return [1, .max] + bytes("\(note.id)").map(UInt64.init) }
        let isBeneath = !here.isEmpty && bytes(name).starts(with: bytes(here + "/"))
        return [isBeneath ? 0 : 1, UInt64(name.utf16.count)] + bytes(name).map { UInt64($0) + 1 } + [0]
            + bytes("\(note.id)").map(UInt64.init)
    }

    private func parts(_ path: String) -> [String] {
        bytes(path).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { string($0) }
    }

    private func resolve(_ here: String, _ target: String) -> String? {
        var stack = parts(here).filter { !$0.isEmpty }
        for part in parts(target) where !part.isEmpty && part != "." {
            if part != ".." { stack.append(part) } else if stack.popLast() == nil { return nil }
        }
        return stack.joined(separator: "/")
    }

    private func withoutExtension(_ target: String) -> String? {
        for ending in [".markdown", ".md"] {
            let scalars = target.unicodeScalars
            guard scalars.count > ending.count else { continue }
            if String(scalars.suffix(ending.count)).lowercased() == ending { return String(scalars.dropLast(ending.count)) }
        }
        return nil
    }

    private func fold(_ text: String) -> [UInt32] {
        var lower = ""
        for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars { lower += scalar.properties.lowercaseMapping }
        return lower.decomposedStringWithCanonicalMapping.unicodeScalars.map {
            [0xA0, 0x202F].contains($0.value) ? 0x20 : $0.value
        }
    }
}

extension LinkOracle {
    /// A random set of notes with links, many of which mean several notes or none.
    package static func random(_ count: Int, using generator: inout SeededGenerator) -> LinkOracle {
        var names: [String] = []
        for _ in 0..<count {
            let last = generator.pick(lasts) + generator.pick(["", "", "\(generator.below(4))"])
            let name = generator.pick(["", "a/", "a/b/", "c/", "Ä/", "A/b/"]) + last
            if !names.contains(where: { bytes($0) == bytes(name) }) { names.append(name) }
        }
        var notes: [Note] = []
        for (index, name) in names.enumerated() {
            var text = randomText(names, using: &generator)
            // A file, some with a description.
            if generator.chance(0.25) { text = pointerLine + generator.pick(["", "\n\n" + text]) }
            notes.append(Note(id: noteID(UInt64(index)), name: generator.chance(0.05) ? nil : name, text: text))
        }
        return LinkOracle(notes)
    }

    private static let pointerLine = "notesd-file sha256:\(String(repeating: "ab", count: 32)) 7"

    private static let lasts = [
        "x", "X", "index", "note 1", "\u{E9}", "e\u{301}", "q?", "[d]", "a(b", "20240101 t", "k7x2-t", "m.md", "日本", "pic.png",
        "a b.png",
    ]

    /// A random text with links to notes of these names and to others.
    package static func randomText(_ names: [String], using generator: inout SeededGenerator) -> String {
        var text = generator.pick(["", "", "---\naliases: [\(generator.pick(["al", "X", "c/al", "index.md"]))]\n---\n"])
        text += generator.pick(["# x\n", "# T\n", "# INDEX\n", ""])
        for _ in 0..<generator.below(6) {
            let target = randomTarget(names, using: &generator)
            let escaped = target.unicodeScalars.map {
                "?#%() ".unicodeScalars.contains($0) && $0 != "?" ? percent($0) : String($0)
            }
            let line = generator.below(6)
            switch line {
            case 0: text += "[[\(target)|s]]\n"
            case 1: text += "| [[\(target)\\|s]] |\n"
            case 2: text += "![[\(target)#h]]\n"
            case 3: text += "[x](<\(target)> \"t\")\n"
            case 4: text += "[x](\(escaped.joined())#f)\n"
            default: text += "\n[r]: \(escaped.joined())\n\n"
            }
        }
        return text
    }

    private static func percent(_ scalar: Unicode.Scalar) -> String { "%" + String(scalar.value, radix: 16) }

    /// A random target: a name as it is or shortened, with another case, an extension or dots.
    package static func randomTarget(_ names: [String], using generator: inout SeededGenerator) -> String {
        let name = generator.pick(
            names + ["zz", "missing/x", "al", "c/al", "t", "20240101", "k7x2", "index.md", "pic.png", "a/"])
        let parts = bytes(name).split(separator: UInt8(ascii: "/")).map { string($0) }
        var target = name
        switch generator.below(10) {
        case 0...3: target = parts.last ?? ""
        case 4, 5: target = parts.suffix(2).joined(separator: "/")
        case 6: target = "./" + (parts.last ?? "")
        case 7: target = "../" + name
        case 8: target = generator.pick(["/", "b/../", "b/./"]) + name
        default: break
        }
        if generator.chance(0.2) { target = target.uppercased() }
        return target + generator.pick(["", "", "", ".md", ".MD", "?plain=1"])
    }
}
