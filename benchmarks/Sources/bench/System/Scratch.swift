import CLinux
import Foundation
import Glibc

/// A directory that is removed, with all that is in it, when nobody holds it any more.
final class Scratch {
    let path: String
    private let cleanup: Cleanup.Ticket

    /// - Parameter parent: on a disk: what is measured is what stays there when the power goes.
    init(in parent: String) throws(Failure) {
        var made = ""
        cleanup = try Cleanup.add { () throws(Failure) in
            var template = Array("\(parent)/notesd-bench-XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { throw Failure(call: "mkdtemp in \(parent)") }
            let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            made = path
            return { try? FileManager.default.removeItem(atPath: path) }
        }
        path = made
    }

    deinit {
        Cleanup.perform(cleanup)
    }

    /// Room that the files below a folder take, in bytes: their sizes, not their blocks.
    static func bytes(below path: String) -> Int {
        let files = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return files.reduce(0) { sum, file in
            let attributes = try? FileManager.default.attributesOfItem(atPath: "\(path)/\(file)")
            guard attributes?[.type] as? FileAttributeType == .typeRegular else { return sum }
            return sum + (attributes?[.size] as? Int ?? 0)
        }
    }

    /// Whether what is written there is lost with the power.
    static func isInMemory(_ path: String) -> Bool {
        var facts = statfs()
        let tmpfs = 0x0102_1994
        return statfs(path, &facts) == 0 && Int(facts.f_type) == tmpfs
    }
}
