import Foundation
import Glibc

/// The machine that the figures were measured on.
struct Machine: Encodable {
    let date: String
    let processor: String
    let processors: Int
    let kernel: String
    let loadAtStart: Double
    private(set) var loadAtEnd: Double

    init() {
        date = Date().formatted(.iso8601)
        let facts = (try? ProcessFacts.text("/proc/cpuinfo")) ?? ""
        let model = facts.split(separator: "\n").first { $0.hasPrefix("model name") }
        processor = model?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown"
        processors = ProcessInfo.processInfo.activeProcessorCount
        var name = utsname()
        uname(&name)
        kernel = withUnsafeBytes(of: &name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        loadAtStart = Self.load()
        loadAtEnd = loadAtStart
    }

    mutating func end() {
        loadAtEnd = Self.load()
    }

    /// Average number of runnable processes over the last minute.
    private static func load() -> Double {
        var averages = [0.0]
        return getloadavg(&averages, 1) == 1 ? averages[0] : .nan
    }
}
