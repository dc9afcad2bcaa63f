/// One edit and one view by the length of the note: one connection, one request at a time, each
/// view after an edit.
enum Sizes {
    /// The last size leaves room for edits below the limit of 4 MiB.
    private static let sizes = [("1 kB", 1 << 10), ("32 kB", 32 << 10), ("1 MB", 1 << 20), ("4 MB", (4 << 20) - 4_096)]

    static func measure(_ context: Context) throws(Failure) -> [Figure] {
        let scratch = try context.scratch()
        let disk = try DiskYardstick(in: scratch)
        let daemon = try context.daemon(in: scratch)
        let client = try daemon.client()
        var (edits, views): ([Figure], [Figure]) = ([], [])
        for (name, bytes) in sizes {
            let size = try measure(name, bytes, on: client, of: daemon, disk, context)
            edits.append(size.edit)
            views.append(size.view)
        }
        try daemon.stop()
        return edits + views
    }

    private static func measure(
        _ name: String, _ bytes: Int, on client: Client, of daemon: DaemonProcess, _ disk: DiskYardstick, _ context: Context
    ) throws(Failure) -> (edit: Figure, view: Figure) {
        var typist = try Typist(on: client, text: Typist.paragraph(bytes), seed: 1)
        let request = typist.write()
        let answer = try client.call(request)
        try typist.stay(after: answer)
        let editEcho = try EchoYardstick(
            requestBytes: request.line(id: 1).count, answerBytes: answer.line.count + 1, disk: disk)
        let view = Request.getNote(typist.note)
        let viewEcho = try EchoYardstick(
            requestBytes: view.line(id: 1).count, answerBytes: try client.call(view).line.count + 1, disk: nil)
        var edit = Figure(
            "an edit, note of \(name), p50", .milliseconds,
            yardstick: "write + fdatasync of the request, and a socket round trip, p50")
        var read = Figure(
            "a view, note of \(name), p50", .milliseconds, yardstick: "a socket round trip with as many bytes, p50")
        var (editCores, viewCores) = (Samples(), Samples())
        for _ in 0..<context.rounds {
            let editLeast = try editEcho.rounds(for: context.roundSeconds / 4)
            let viewLeast = try viewEcho.rounds(for: context.roundSeconds / 8)
            let meter = try CoreMeter(of: daemon.pid)
            var (edits, views): ([Cost], [Cost]) = ([], [])
            let end = seconds() + context.roundSeconds / 2
            while seconds() < end {
                let written = try Cost.of(typist.write(), on: client, of: daemon)
                try typist.stay(after: written.answer)
                edits.append(written.cost)
                let shown = try Cost.of(view, on: client, of: daemon)
                guard shown.answer.line.count > bytes else { throw Failure("the view is shorter than the note") }
                views.append(shown.cost)
            }
            let cores = try meter.read()
            edit.addRound(Samples(edits.map(\.seconds)).median * 1e3, yardstick: editLeast.median * 1e3, cores: cores)
            read.addRound(Samples(views.map(\.seconds)).median * 1e3, yardstick: viewLeast.median * 1e3, cores: cores)
            editCores.add(Samples(edits.map(\.coreSeconds)).median * 1e6)
            viewCores.add(Samples(views.map(\.coreSeconds)).median * 1e6)
        }
        edit.remarks = ["\(Table.text(editCores.median)) µs of a core each in the daemon, p50"]
        read.remarks = ["\(Table.text(viewCores.median)) µs of a core each in the daemon, p50"]
        return (edit, read)
    }
}
