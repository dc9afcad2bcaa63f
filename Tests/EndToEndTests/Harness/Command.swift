import Foundation

/// The result of a program that was run to its end.
struct Command: Sendable {
    let end: ChildProcess.End
    let output: [UInt8]
    let errors: String

    var text: String { String(decoding: output, as: UTF8.self) }
    var lines: [String] { text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init) }

    /// - Parameter input: the program's standard input.
    @discardableResult
    static func run(
        _ executable: String, _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:]
    ) async throws -> Command {
        let running = try Running(executable, arguments, input: input, environment: environment)
        return try await running.command()
    }

    /// A program running in the background. Its standard streams are files, so it never blocks on
    /// them.
    struct Running: Sendable {
        let process: ChildProcess
        private let scratch: Scratch

        init(
            _ executable: String, _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:]
        ) throws {
            scratch = try Scratch()
            try Files.write(input, to: scratch.file("in"))
            let input = try FileHandle(forReadingFrom: URL(fileURLWithPath: scratch.file("in")))
            let output = try Self.created(scratch.file("out"))
            let errors = try Self.created(scratch.file("err"))
            process = try ChildProcess(
                executable, arguments, environment: ["PATH": "/usr/bin:/bin", "HOME": scratch.path].merging(environment) { $1 },
                input: input.fileDescriptor, output: output.fileDescriptor, errors: errors.fileDescriptor)
        }

        private static func created(_ path: String) throws -> FileHandle {
            try Files.write([], to: path)
            return try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        }

        func command() async throws -> Command {
            let end = try await process.end()
            return Command(
                end: end, output: try Files.read(scratch.file("out")),
                errors: String(decoding: try Files.read(scratch.file("err")), as: UTF8.self))
        }
    }
}
