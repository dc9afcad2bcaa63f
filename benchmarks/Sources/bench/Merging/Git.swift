import Foundation
import Glibc

/// `git merge-file` on the same texts.
struct Git {
    private let program: String

    /// Nil if git is not in PATH.
    init?() {
        guard let program = SearchPath.program("git") else { return nil }
        self.program = program
    }

    enum Merged {
        case clean([UInt8])
        /// Both sides only added lines at one place.
        case insertions
        case conflict
        /// `git merge-file` does not apply.
        case absent
    }

    func merge(_ merge: MergeCase, in scratch: Scratch) throws(Failure) -> Merged {
        guard let files = try Files(merge, in: scratch, number: 0) else { return .absent }
        let output = "\(scratch.path)/merged"
        unlink(output)
        let code = try run(files, options: ["--diff3", "-L", "ours", "-L", Self.baseLabel, "-L", "theirs"], output: output)
        let merged = try Unpacked.contents(of: output)
        if code == 0 { return .clean(Array(merged)) }
        return Self.bases(merged).allSatisfy { $0 == 0 } ? .insertions : .conflict
    }

    /// Merges existing files. Returns the number of conflicts, at most 127.
    @discardableResult
    func run(_ files: Files, options: [String] = [], output: String? = nil) throws(Failure) -> Int32 {
        let code = try Child(
            [program, "merge-file", "-p"] + options + files.paths,
            environment: ["GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1"],
            output: output
        ).wait()
        guard code <= 127 else { throw Failure("git merge-file ended with \(code)") }
        return code
    }

    private static let baseLabel = "the base"

    /// Number of lines of the base in each conflict, between its markers.
    private static func bases(_ text: Data) -> [Int] {
        var (found, inside): ([Int], Int?) = ([], nil)
        for line in text.split(separator: 0x0a, omittingEmptySubsequences: false) {
            if line.elementsEqual("||||||| \(baseLabel)".utf8) {
                inside = 0
            } else if let count = inside, line.elementsEqual("=======".utf8) {
                found.append(count)
                inside = nil
            } else if let count = inside {
                inside = count + 1
            }
        }
        return found
    }

    /// A merge's texts as files for git.
    struct Files {
        let paths: [String]

        /// Nil if a side is absent.
        init?(_ merge: MergeCase, in scratch: Scratch, number: Int) throws(Failure) {
            guard let ours = merge.ours, let theirs = merge.theirs else { return nil }
            let texts = [("ours", ours), ("base", merge.base), ("theirs", theirs)]
            paths = texts.map { name, _ in "\(scratch.path)/\(number).\(name)" }
            for (path, (_, text)) in zip(paths, texts) {
                guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8)) else {
                    throw Failure("\(path) cannot be written")
                }
            }
        }
    }
}
