import CLinux
import Foundation
import Glibc

/// A directory that is removed with its contents when its last reference goes away.
final class Scratch {
    let path: String
    private let cleanup: Cleanup.Ticket

    /// - Parameter parent: A directory on a disk, because the benchmark measures durable writes.
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

    /// Sum of the sizes of the files below a directory, in bytes; not of their blocks.
    static func bytes(below path: String) -> Int {
        let files = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return files.reduce(0) { sum, file in
            let attributes = try? FileManager.default.attributesOfItem(atPath: "\(path)/\(file)")
            guard attributes?[.type] as? FileAttributeType == .typeRegular else { return sum }
            return sum + (attributes?[.size] as? Int ?? 0)
        }
    }

    /// Whether a power cut loses what is written there.
    static func isInMemory(_ path: String) -> Bool {
        var facts = statfs()
        let tmpfs = 0x0102_1994
        return statfs(path, &facts) == 0 && Int(facts.f_type) == tmpfs
    }
}
