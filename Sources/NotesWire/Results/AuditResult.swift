import Causality
import NoteText
package import NotesModel
package import StrictJSON

/// Result of `daemon.audit`.
package struct AuditResult: WireResult, ReceivedObject {
    /// The counts and findings of the audit.
    package var report: AuditReport
    package var received = ReceivedJSON<ArraySlice<UInt8>?>(nil)

    package init(_ report: AuditReport) {
        self.report = report
    }

    /// Whether the audit found nothing wrong.
    package var isOK: Bool { report.findings.isEmpty }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.member("ok", isOK)
            result.member("notes", report.notes)
            result.member("revisions", report.revisions)
            result.name("findings")
            result.array(of: report.findings) { $1.write(to: &$0) }
            result.name("waiting")
            result.array(of: report.waiting) { $1.write(to: &$0) }
            result.name("quarantined")
            result.array(of: report.quarantined) { $1.write(to: &$0) }
            result.member("compacted", report.compacted)
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        report = AuditReport(
            notes: try value.required("notes", Param.count), revisions: try value.required("revisions", Param.count),
            findings: try value.required("findings", Param.array(AuditFinding.init(reading:))),
            waiting: try value.optional("waiting", Param.array(AuditWaiting.init(reading:))) ?? [],
            quarantined: try value.optional("quarantined", Param.array(HeldRevision.init(reading:))) ?? [],
            compacted: try value.optional("compacted", Param.count) ?? 0)
        guard try value.required("ok", Param.bool) == isOK else {
            throw ParamFault(path: "ok", reason: "contradicts the findings")
        }
        received = ReceivedJSON(value.source)
    }
}

extension AuditFinding {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { finding in
            finding.member("note", note)
            finding.member("dot", dot)
            finding.member("message", what)
            finding.member("affects", ByteString(affects.word))
        }
    }

    fileprivate init(reading value: JSONValue) throws(ParamFault) {
        self.init(
            note: try value.required("note", Param.nullable(Param.noteID)),
            dot: try value.required("dot", Param.nullable(Param.dot)),
            what: try value.required("message", Param.string).description,
            // A daemon that does not know the distinction sends none.
            affects: AuditFinding.Affected(word: try value.optional("affects", Param.string)))
    }
}

extension AuditFinding.Affected {
    /// The word on the wire.
    fileprivate var word: String {
        switch self {
        case .texts: "texts"
        case .derived: "derived"
        case .files: "files"
        }
    }

    fileprivate init(word: ByteString?) {
        self = word == "derived" ? .derived : word == "files" ? .files : .texts
    }
}

extension AuditWaiting {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { waiting in
            waiting.member("note", note)
            waiting.member("revisions", revisions)
            waiting.name("parents")
            waiting.array(of: parents) { $0.string($1) }
        }
    }

    fileprivate init(reading value: JSONValue) throws(ParamFault) {
        self.init(
            note: try value.required("note", Param.noteID), revisions: try value.required("revisions", Param.count),
            parents: try value.required("parents", Param.array(Param.dot)))
    }
}
