import Foundation
import Glibc

/// Where other people's programs lie.
enum SearchPath {
    /// - Parameter others: folders to look into before those of PATH.
    /// - Returns: its path; nil where it is in none of them.
    static func program(_ name: String, in others: [String] = []) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let folders = others + path.split(separator: ":").map(String.init)
        return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}
