import Foundation

/// Checks the links between the project's documents.
struct Document {
    /// Path relative to the repository's root.
    let path: String
    let text: String

    struct Link: Equatable {
        /// Path relative to the repository's root; empty for an anchor in the same document.
        let path: String
        let anchor: String?
        let line: Int
    }

    /// Links to files of the project, outside code.
    var links: [Link] {
        var links: [Link] = []
        for (number, line) in prose {
            for match in line.matches(of: /\]\(([^()\s]+)\)/) {
                let target = String(match.output.1)
                guard !target.contains("://"), !target.hasPrefix("mailto:") else { continue }
                let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                let anchor = parts.count > 1 ? parts[1] : nil
                links.append(Link(path: parts[0].isEmpty ? "" : resolved(parts[0]), anchor: anchor, line: number))
            }
        }
        return links
    }

    /// The anchors that the document declares, as `<a id="0012"></a>`, and those that GitHub derives from
    /// headings: lower case, without punctuation, with hyphens for spaces.
    var anchors: Set<String> {
        let declared = prose.flatMap { $0.line.matches(of: /<a id="([^"]+)">/).map { String($0.output.1) } }
        return Set(declared).union(
            prose.filter { $0.line.hasPrefix("#") }.map { _, line in
                let title = line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
                return String(title.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }.map { $0 == " " ? "-" : $0 })
            })
    }

    /// The lines outside fenced code, with their numbers from 1.
    private var prose: [(number: Int, line: String)] {
        var isCode = false
        var prose: [(Int, String)] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.drop(while: { $0 == " " }).hasPrefix("```") {
                isCode.toggle()
            } else if !isCode {
                prose.append((index + 1, String(line)))
            }
        }
        return prose
    }

    private func resolved(_ link: String) -> String {
        var parts = path.split(separator: "/").dropLast().map(String.init)
        for part in link.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
        }
        return parts.joined(separator: "/")
    }
}

enum DocumentRule {
    /// Finds broken links, and documents that no chain of links from the first one reaches.
    static func findings(in documents: [Document], start: String, exists: (String) -> Bool) -> [Finding] {
        let byPath = Dictionary(uniqueKeysWithValues: documents.map { ($0.path, $0) })
        var findings: [Finding] = []
        for document in documents {
            for link in document.links {
                let target = link.path.isEmpty ? document.path : link.path
                if !exists(target) {
                    findings.append(
                        Finding(path: document.path, line: link.line, message: "links to \(target), which is not there"))
                } else if let anchor = link.anchor, let known = byPath[target]?.anchors, !known.contains(anchor) {
                    findings.append(Finding(path: document.path, line: link.line, message: "\(target) has no heading #\(anchor)"))
                }
            }
        }
        var reached: Set<String> = []
        var waiting = [start]
        while let path = waiting.popLast() {
            guard reached.insert(path).inserted, let document = byPath[path] else { continue }
            waiting += document.links.map(\.path)
        }
        findings += documents.filter { !reached.contains($0.path) }.map { document in
            Finding(path: document.path, line: 0, message: "no link from \(start) leads here")
        }
        return findings
    }

    /// Finds documents that the code mentions but that do not exist.
    static func mentions(in source: SwiftSource, exists: (String) -> Bool) -> [Finding] {
        let texts =
            source.comments.map { ($0.line, $0.text) } + source.tokens.filter { $0.kind == .string }.map { ($0.line, $0.text) }
        return texts.flatMap { line, text in
            text.matches(of: /docs\/[A-Za-z0-9_\/-]+\.(?:md|json)/).map { String($0.output) }.filter { !exists($0) }.map { path in
                Finding(path: source.path, line: line, message: "names \(path), which is not there")
            }
        }
    }

    /// Finds tests that a document names, such as `aLaw_holds`, but that no file contains. Names
    /// without a capital letter are assumed to be the system's.
    static func missingTests(in document: Document, sources: [SwiftSource]) -> [Finding] {
        let known = Set(
            sources.filter(\.isTest).flatMap { source in
                source.places(of: "func").compactMap { source.token($0 + 1)?.text }
            })
        return document.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { index, line in
            let names = line.matches(of: /`([a-z][A-Za-z0-9]*_[A-Za-z0-9_]+)`/).map { String($0.output.1) }
            let missing = names.filter { $0.contains(where: \.isUppercase) && !known.contains($0) }
            return missing.map {
                Finding(path: document.path, line: index + 1, message: "names the test \($0), which is not there")
            }
        }
    }

    /// Finds settings of the sample configuration that a document does not name.
    static func unnamedSettings(in document: Document, sample: String, sections: Set<String>) -> [Finding] {
        var section = ""
        var findings: [Finding] = []
        for line in sample.split(separator: "\n") {
            if let match = line.wholeMatch(of: /\[([a-z]+)\]/) { section = String(match.output.1) }
            guard sections.contains(section), let match = line.prefixMatch(of: /#([a-z_]+) =/) else { continue }
            let key = "\(section).\(match.output.1)"
            if !document.text.contains("`\(key)`") {
                findings.append(Finding(path: document.path, line: 0, message: "does not name the setting \(key)"))
            }
        }
        return findings
    }
}
