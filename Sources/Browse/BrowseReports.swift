import Console

/// Messages that the program prints when it has left the screen.
final class BrowseReports {
    private var hasRefusedToQuit = false
    /// Reports of failed commands, oldest first.
    private var reports: [String] = []

    /// Most reports kept; the oldest go first.
    private static let reportsMax = 20

    /// Why the program should not quit yet: a text is neither saved nor kept. The second time, it may.
    func refusalToQuit(_ failures: [String]) -> String? {
        guard !hasRefusedToQuit, let failure = failures.first else { return nil }
        hasRefusedToQuit = true
        return "\(failure); ^C again quits without the text"
    }

    /// Keeps the report of a command for the end of the program.
    func add(_ report: String) {
        reports.append(report)
        if reports.count > Self.reportsMax { reports.removeFirst() }
    }

    /// Prints the reports.
    func put() {
        for report in reports { Output.note(report) }
    }
}
