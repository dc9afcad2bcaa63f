import Foundation
import Glibc

/// Finds other programs.
enum SearchPath {
    /// - Parameter others: Directories to search before those of PATH.
    /// - Returns: The program's path; nil if no directory has it.
    static func program(_ name: String, in others: [String] = []) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let folders = others + path.split(separator: ":").map(String.init)
        return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}
