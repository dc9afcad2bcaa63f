import Dispatch
import Glibc
import Logging
import NotesEngine
import NotesModel
import NotesServer
import Synchronization

extension Resolution {
    /// Every setting, for `daemon.config`.
    ///
    /// - Parameters:
    ///   - listening: where connections come from.
    ///   - pending: what was read last, of which some may wait for the next start.
    func report(_ listening: Listening, pending read: Resolution? = nil) -> [SettingReport] {
        Setting.all.map { setting in
            if case .inherited(_, let path) = listening, setting.key == "socket" {
                return SettingReport(
                    key: setting.key, value: "\"\(path)\"", origin: "service manager", isReloadable: false, pending: nil)
            }
            let value = setting.literal(in: settings) ?? chosen[setting.key]
            let next = read.map { setting.literal(in: $0.settings) ?? $0.chosen[setting.key] } ?? value
            return SettingReport(
                key: setting.key, value: value, origin: layers.origin(of: setting).description,
                isReloadable: setting.isReloadable, pending: next == value ? nil : next)
        }
    }

    /// What the environment decides where nothing was said.
    private var chosen: [String: String] {
        ["data": data.map { "\"\($0)\"" }, "socket": socket.map { "\"\($0)\"" }].compactMapValues(\.self)
    }

    /// Who is let in. Names that the system does not know are told, and let nobody in. Asks the system's database, and waits for it.
    func accessRules(_ book: NameBook, _ logger: Logger) -> Admission {
        var isUnsure = false
        func admitted(_ key: String, _ names: [String]) -> AccessRules.Admitted {
            AccessRules.Admitted(names, book: book) { name, mayBeThere in
                isUnsure = isUnsure || mayBeThere
                logger.warning(
                    mayBeThere
                        ? "access.\(key) names \(name), and the system's database could not be asked who that is; it is asked again"
                        : "access.\(key) names \(name), which this system does not know; nobody is let in by it",
                    metadata: ["event": "unknown-peer", "setting": "access.\(key)"])
            }
        }
        let access = settings.access
        let rules = AccessRules(
            owner: geteuid(), read: admitted("read", access.read), write: admitted("write", access.write),
            admin: admitted("admin", access.admin))
        return Admission(rules: rules, isUnsure: isUnsure)
    }

    /// The same on a thread of its own, since a directory server may take its time.
    ///
    /// - Returns: nil where there was no answer within so many seconds.
    func accessRules(_ book: NameBook, _ logger: Logger, within limit: Int) async -> Admission? {
        await withCheckedContinuation { continuation in
            let answer = FirstAnswer(continuation)
            DispatchQueue.global().async { _ = answer.give(accessRules(book, logger)) }
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(limit)) {
                guard answer.give(nil) else { return }
                logger.warning(
                    "the system's database of users does not answer; who is let in by name is found out later",
                    metadata: ["event": "unknown-peer"])
            }
        }
    }
}

extension Settings {
    var level: Logger.Level { Logger.Level(rawValue: logLevel) ?? .info }

    var historyPolicy: HistoryPolicy { historyKeepDays.map { .keepDays($0) } ?? .keepAll }
}

/// Who is let in, and whether the system's database could not be asked of somebody.
struct Admission: Sendable {
    let rules: AccessRules
    let isUnsure: Bool
}

/// Takes the first of several answers.
private final class FirstAnswer<Value: Sendable>: Sendable {
    private let waiting: Mutex<CheckedContinuation<Value, Never>?>

    init(_ continuation: CheckedContinuation<Value, Never>) {
        waiting = Mutex(continuation)
    }

    /// Returns whether it was the first.
    func give(_ value: Value) -> Bool {
        let first = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        first?.resume(returning: value)
        return first != nil
    }
}
