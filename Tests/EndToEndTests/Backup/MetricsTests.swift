import Foundation
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// Tests that the metrics agree with the operations, and that their consumers can read them.
    @Suite struct MetricsTests {
        private func scrape(_ daemon: DaemonProcess) async throws -> (text: [UInt8], check: OpenMetricsCheck) {
            let printed = try await daemon.notesctl("metrics", "--openmetrics")
            #expect(printed.end == .exited(0), "\(printed.errors)")
            return (printed.output, try OpenMetricsCheck(printed.text))
        }

        private func value(_ check: OpenMetricsCheck, _ name: String, _ labels: [String: String] = [:]) -> Double? {
            check.families.lazy.flatMap(\.samples).first { $0.name == name && $0.labels == labels }?.value
        }

        /// Performs some of every operation, with names and texts that must not appear in the
        /// metrics.
        private func work(_ client: NotesClient) async throws {
            let first = try await client.create(text: bytes("a\nb\nsecret\n"), name: "private/name", id: noteID(1)).note.head
                .version
            _ = try await client.save(noteID(1), base: first, text: bytes("A\nb\nsecret\n"))
            _ = try await client.save(noteID(1), base: first, text: bytes("a\nb\nsecret\nc\n"))
            let third = try await client.save(noteID(1), base: first, text: bytes("X\nb\nsecret\n"))
            #expect(third.outcome == .conflicted)
            let shown = try await client.note(.id(noteID(1)))
            _ = try await client.save(noteID(1), base: shown.head.version, text: try #require(shown.text))
            _ = try await client.create(text: bytes("gone\n"), id: noteID(2))
            _ = try await client.delete(noteID(2), base: try await client.note(.id(noteID(2))).head.version)
            do {
                _ = try await client.note(.id(noteID(3)))
                Issue.record("there is a third note")
            } catch ClientError.refused(let error) {
                #expect(error.kind == .noteNotFound)
            }
        }

        @Test func counts_matchTheOperations() async throws {
            try await DaemonProcess.run { daemon in
                let client = try await daemon.client("secret label")
                try await work(client)
                let watch = try await client.watch(WatchNotes())
                _ = try await client.backUp()
                let (text, check) = try await scrape(daemon)
                let expected: [(String, [String: String], Double)] = [
                    ("notesd_build_info", ["version": "0.1.0"], 1), ("notesd_connections", [:], 2),
                    ("notesd_connections_made_total", [:], 2),
                    ("notesd_watches", [:], 1), ("notesd_writes_total", ["outcome": "created"], 2),
                    ("notesd_writes_total", ["outcome": "merged"], 1), ("notesd_writes_total", ["outcome": "conflicted"], 1),
                    ("notesd_writes_total", ["outcome": "saved"], 2), ("notesd_writes_total", ["outcome": "unchanged"], 1),
                    ("notesd_commits_total", [:], 6), ("notesd_batch_commits_sum", [:], 6), ("notesd_revisions", [:], 6),
                    ("notesd_notes", ["state": "living"], 1), ("notesd_notes", ["state": "deleted"], 1),
                    ("notesd_conflicted_notes", [:], 1), ("notesd_requests_total", ["method": "note.save"], 4),
                    ("notesd_request_duration_seconds_count", ["method": "note.save"], 4),
                    ("notesd_errors_total", ["kind": "note_not_found"], 1), ("notesd_errors_total", ["kind": "overloaded"], 0),
                    ("notesd_store_writable", [:], 1), ("notesd_backups_total", ["result": "done"], 1),
                ]
                for (name, labels, count) in expected { #expect(value(check, name, labels) == count, "\(name) \(labels)") }
                let states = ["synced", "lagging", "reset"].compactMap { value(check, "notesd_dependents", ["state": $0]) }
                #expect(states.reduce(0, +) == 2)
                #expect(try value(check, "notesd_store_bytes") == Double(Files.read(daemon.data + "/notes.sqlite3").count))
                #expect(
                    value(check, "notesd_wal_bytes") ?? 0 > 0
                        && value(check, "notesd_request_duration_seconds_sum", ["method": "note.save"]) ?? 0 > 0)
                let printed = String(decoding: text, as: UTF8.self)
                for hidden in ["secret", "private", "\(noteID(1))"] { #expect(!printed.contains(hidden)) }

                let (_, later) = try await scrape(daemon)
                for family in check.families where family.type == "counter" {
                    for sample in family.samples {
                        #expect(value(later, sample.name, sample.labels) ?? -1 >= sample.value, "\(sample) fell")
                    }
                }
                withExtendedLifetime(watch) {}
                await client.close()
            }
        }

        static let hasParser: Bool = {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", "-c", "import prometheus_client.openmetrics.parser"]
            process.standardError = nil
            do { try process.run() } catch { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }()

        @Test(.enabled(if: hasParser, "python3 has no prometheus_client; run `pip install prometheus-client`"))
        func exposition_isReadByPrometheus() async throws {
            try await DaemonProcess.run { daemon in
                let client = try await daemon.client("writer")
                try await work(client)
                await client.close()
                let (text, check) = try await scrape(daemon)
                let script = """
                    import sys
                    from prometheus_client.openmetrics.parser import text_string_to_metric_families
                    for family in text_string_to_metric_families(sys.stdin.read()):
                        print(family.name, family.type, family.unit, len(family.samples))
                    """
                let environment = ProcessInfo.processInfo.environment
                let read = try await Command.run(
                    "/usr/bin/env", ["python3", "-c", script], input: text, environment: environment)
                #expect(read.end == .exited(0), "\(read.errors)")
                #expect(read.lines == check.families.map { "\($0.name) \($0.type) \($0.unit ?? "") \($0.samples.count)" })
            }
        }

        /// Checks that each sample follows the help text and the type of its own family, as the older
        /// format requires: counters are named with `_total` throughout.
        private func checkOlderFormat(_ text: String, against check: OpenMetricsCheck) async throws {
            var types: [String: String] = [:]
            var helps: [String: String] = [:]
            var current = ""
            for line in text.split(separator: "\n").map(String.init) {
                let parts = line.split(separator: " ", maxSplits: 3).map(String.init)
                if line.hasPrefix("# ") {
                    try #require(parts.count == 4 && ["TYPE", "HELP"].contains(parts[1]), "\(line)")
                    current = parts[2]
                    if parts[1] == "TYPE" { types[current] = parts[3] } else { helps[current] = parts[3] }
                } else {
                    let name = String(line.prefix { $0 != "{" && $0 != " " })
                    let suffixes = types[current] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
                    #expect(helps[current] != nil && suffixes.contains { current + $0 == name }, "\(line)")
                }
            }
            let expected = check.families.map { ($0.type == "counter" ? $0.name + "_total" : $0.name, $0.type) }
            #expect(types == Dictionary(uniqueKeysWithValues: expected))
        }

        /// Every metric of the daemon in the alerts exists.
        @Test func alerts_nameExistingMetrics() async throws {
            try await DaemonProcess.run { daemon in
                let rules = String(
                    decoding: try Files.read(Fixture.repositoryPath("config/prometheus/notesd.rules.yml")), as: UTF8.self)
                let names = rules.matches(of: /\b(notesd_[a-z_]+)/).map { String($0.output.1) }
                let printed = try await daemon.notesctl("metrics")
                let there = Set(printed.lines.map { String($0.prefix { $0 != "{" && $0 != " " }) })
                #expect(names.count >= 3 && names.allSatisfy(there.contains), "\(names.filter { !there.contains($0) })")
            }
        }

        /// The command of the unit in config/prometheus.
        @Test func textfileCollector_getsCompleteFile() async throws {
            try await DaemonProcess.run { daemon in
                let unit = String(
                    decoding: try Files.read(Fixture.repositoryPath("config/prometheus/notesd-metrics.service")), as: UTF8.self)
                let line = try #require(unit.split(separator: "\n").first { $0.hasPrefix("ExecStart=/bin/sh -c '") })
                let script = line.dropFirst("ExecStart=/bin/sh -c '".count).dropLast().replacingOccurrences(of: "$$", with: "$")
                let folder = try daemon.scratch.directory("collected")
                let folderOfPrograms = URL(fileURLWithPath: Binaries.notesctl).deletingLastPathComponent().path
                let environment = [
                    "NOTESD_SOCKET": daemon.socket, "COLLECTED": folder, "PATH": "\(folderOfPrograms):/usr/bin:/bin",
                ]
                let collected = try await Command.run("/bin/sh", ["-c", String(script)], environment: environment)
                #expect(collected.end == .exited(0), "\(collected.errors)")
                #expect(try BackupSupport.names(in: folder) == ["notesd.prom"])
                let text = String(decoding: try Files.read(folder + "/notesd.prom"), as: UTF8.self)
                try await checkOlderFormat(text, against: try await scrape(daemon).check)

                let before = try Files.read(folder + "/notesd.prom")
                try await daemon.end(SIGTERM)
                let failed = try await Command.run("/bin/sh", ["-c", String(script)], environment: environment)
                #expect(failed.end != .exited(0))
                #expect(try Files.read(folder + "/notesd.prom") == before, "the last collected file stays")
            }
        }
    }
}
