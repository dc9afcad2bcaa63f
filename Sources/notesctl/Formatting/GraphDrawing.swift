import Console
import Glibc

/// Draws graphs with Graphviz, if it is installed.
enum GraphDrawing {
    /// Maximum number of nodes of a graph that `dot` draws in seconds.
    static let dotNodesMax = 300

    /// The program that draws a graph: `dot` puts nodes in layers; `sfdp` also draws thousands of nodes.
    static func program(nodes: Int) -> String { nodes > dotNodesMax ? "sfdp" : "dot" }

    /// Draws a graph in the language DOT as SVG, on standard output.
    ///
    /// - Throws: `ExitFailure` if Graphviz is missing or fails.
    static func printSVG(of graph: LinkGraph) throws {
        let program = program(nodes: graph.notes.count)
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw ExitFailure("cannot draw the graph: \(SystemError.text(errno))") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let process: pid_t
        do {
            process = try Child.start([program, "-Tsvg"], input: ends[0])
        } catch {
            for end in ends { close(end) }
            throw ExitFailure(
                "cannot draw the graph without `\(program)`: install Graphviz, or omit --svg and draw the output elsewhere")
        }
        close(ends[0])
        // The program may end before it has read everything; its status tells.
        signal(SIGPIPE, SIG_IGN)
        _ = Output.writeAll(Array((graph.lines.joined(separator: "\n") + "\n").utf8), to: ends[1])
        close(ends[1])
        let end = Child.wait(process)
        guard end.isSuccess else { throw ExitFailure("cannot draw the graph: `\(program)` \(end.text)") }
    }
}
