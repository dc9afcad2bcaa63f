/// The contract for programs: `docs/openrpc.json`, as `rpc.discover` answers it.
///
/// Written by `scripts/embed-openrpc`; change the document and run that.
package enum OpenRPC {
    package static let document = Array(text.utf8)

    private static let text = #"""
        {"openrpc":"1.3.2","info":{"title":"notesd","version":"1","description":"Plain-text notes that many editors write at\#
         once, over a Unix socket, one JSON-RPC 2.0 object a line. docs/protocol.md says what this document cannot.","licens\#
        e":{"name":"Apache-2.0"}},"methods":[{"name":"session.hello","summary":"Registers the connection as a dependent. Fir\#
        st, and once.","paramStructure":"by-name","params":[{"name":"protocol","required":true,"schema":{"type":"array","ite\#
        ms":{"type":"integer"},"examples":[[1]]},"description":"Versions that the client speaks."},{"name":"client","require\#
        d":true,"schema":{"$ref":"#/components/schemas/Client"}},{"name":"label","required":false,"schema":{"$ref":"#/compon\#
        ents/schemas/Label"}},{"name":"positionEncoding","required":false,"schema":{"type":"array","items":{"type":"string"}\#
        ,"examples":[["utf-8","utf-16"]]},"description":"In order of preference; unknown ones are skipped. None known: utf-8\#
        ."}],"result":{"name":"session","schema":{"type":"object","properties":{"protocol":{"type":"integer"},"server":{"$re\#
        f":"#/components/schemas/Client"},"store":{"$ref":"#/components/schemas/ReplicaId"},"replica":{"$ref":"#/components/\#
        schemas/ReplicaId"},"dependent":{"type":"integer","minimum":0},"user":{"$ref":"#/components/schemas/User"},"access":\#
        {"type":"string","enum":["read","write","admin"]},"positionEncoding":{"$ref":"#/components/schemas/PositionEncoding"\#
        },"limits":{"$ref":"#/components/schemas/Limits"},"capabilities":{"type":"array","items":{"type":"string"}},"cursor"\#
        :{"$ref":"#/components/schemas/Cursor"}},"required":["protocol","server","store","replica","dependent","user","acces\#
        s","positionEncoding","limits","capabilities","cursor"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$re\#
        f":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors\#
        /line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/unsupported_protocol"},{"$ref"\#
        :"#/components/errors/permission_denied"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shu\#
        tting_down"}]},{"name":"session.ping","summary":"Answered at once; before hello too.","paramStructure":"by-name","pa\#
        rams":[],"result":{"name":"nothing","schema":{"type":"object","properties":{},"required":[]}},"errors":[{"$ref":"#/c\#
        omponents/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_p\#
        arams"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"}]},{"name":"rpc.discover\#
        ","summary":"This document; before hello too.","paramStructure":"by-name","params":[],"result":{"name":"document","s\#
        chema":{"type":"object"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_\#
        request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/comp\#
        onents/errors/internal"}]},{"name":"note.create","summary":"Makes a note.","paramStructure":"by-name","params":[{"na\#
        me":"text","required":true,"schema":{"type":"string","examples":["Hello\n"]}},{"name":"name","required":false,"schem\#
        a":{"oneOf":[{"$ref":"#/components/schemas/NoteName"},{"type":"null"}],"examples":["work/inbox"]}},{"name":"id","req\#
        uired":false,"schema":{"$ref":"#/components/schemas/NoteId"},"description":"Chosen by the client, so that a retry ca\#
        nnot create twice."},{"name":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}}],"result":{"name":"c\#
        reated","schema":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/Note"},"dot":{"$ref":"#/compone\#
        nts/schemas/Dot"},"version":{"$ref":"#/components/schemas/Version"},"replayed":{"type":"boolean"}},"required":["note\#
        "]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/\#
        components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/interna\#
        l"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/er\#
        rors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},\#
        {"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/no\#
        te_too_large"},{"$ref":"#/components/errors/note_exists"},{"$ref":"#/components/errors/invalid_name"}]},{"name":"not\#
        e.get","summary":"Shows a note: now, or at a version; whole, or as edits from a version.","paramStructure":"by-name"\#
        ,"params":[{"name":"id","required":false,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"name","required":\#
        false,"schema":{"$ref":"#/components/schemas/NoteName"}},{"name":"at","required":false,"schema":{"$ref":"#/component\#
        s/schemas/Version"}},{"name":"from","required":false,"schema":{"$ref":"#/components/schemas/Version"}}],"result":{"n\#
        ame":"shown","schema":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/Note"}},"required":["note"\#
        ]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/c\#
        omponents/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal\#
        "},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/err\#
        ors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{\#
        "$ref":"#/components/errors/note_not_found"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/components/error\#
        s/revision_gone"}],"x-exactly-one":["id","name"]},{"name":"note.list","summary":"Notes by name (bytes, null last), t\#
        hen id.","paramStructure":"by-name","params":[{"name":"filter","required":false,"schema":{"$ref":"#/components/schem\#
        as/Filter"}},{"name":"limit","required":false,"schema":{"type":"integer","minimum":1,"maximum":1000,"default":100,"e\#
        xamples":[50]}},{"name":"after","required":false,"schema":{"type":"string","examples":["01890a5d-ac96-774b-bcce-b302\#
        099a8057/work/inbox"]},"description":"next of the page before."}],"result":{"name":"page","schema":{"type":"object",\#
        "properties":{"notes":{"type":"array","items":{"$ref":"#/components/schemas/Note"}},"next":{"oneOf":[{"type":"string\#
        "},{"type":"null"}]}},"required":["notes","next"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/\#
        components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_\#
        too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/componen\#
        ts/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"\#
        $ref":"#/components/errors/permission_denied"}]},{"name":"note.search","summary":"Notes by what is in them, best fir\#
        st.","paramStructure":"by-name","params":[{"name":"query","required":true,"schema":{"$ref":"#/components/schemas/Sea\#
        rchQuery"},"description":"Words that all must be in a note; docs/protocol.md has the rest."},{"name":"limit","requir\#
        ed":false,"schema":{"type":"integer","minimum":1,"maximum":100,"default":20,"examples":[50]}},{"name":"after","requi\#
        red":false,"schema":{"type":"string","examples":["3fe5555555555555.0000000000000421"]},"description":"next of the pa\#
        ge before."}],"result":{"name":"page","schema":{"type":"object","properties":{"hits":{"type":"array","items":{"$ref"\#
        :"#/components/schemas/Hit"}},"next":{"oneOf":[{"type":"string"},{"type":"null"}]},"truncated":{"type":"boolean","de\#
        scription":"Whether more than 10,000 notes matched: the newest 10,000 of them are ranked, and no other is found."}},\#
        "required":["hits","next","truncated"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/\#
        errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},\#
        {"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/o\#
        verloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/co\#
        mponents/errors/storage_full"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"note.save","summary":"Wri\#
        tes a whole text, a name, or both, on a base.","paramStructure":"by-name","params":[{"name":"id","required":true,"sc\#
        hema":{"$ref":"#/components/schemas/NoteId"}},{"name":"base","required":true,"schema":{"$ref":"#/components/schemas/\#
        Version"},"description":"What the writer had been shown. Without it: base_required.","x-missing":"base_required"},{"\#
        name":"text","required":false,"schema":{"type":"string","examples":["Hello\n"]}},{"name":"name","required":false,"sc\#
        hema":{"oneOf":[{"$ref":"#/components/schemas/NoteName"},{"type":"null"}],"examples":["work/done"]},"description":"n\#
        ull clears it."},{"name":"resolves","required":false,"schema":{"type":"array","items":{"$ref":"#/components/schemas/\#
        ConflictId"},"examples":[["0123456789abcdef0123456789abcdef"]]},"description":"Conflicts that are open at the base."\#
        },{"name":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}}],"result":{"name":"outcome","schema":{"\#
        $ref":"#/components/schemas/Outcome"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/er\#
        rors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"\#
        $ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/ove\#
        rloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/comp\#
        onents/errors/permission_denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only\#
        "},{"$ref":"#/components/errors/note_too_large"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#/components\#
        /errors/note_exists"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{"$re\#
        f":"#/components/errors/base_required"},{"$ref":"#/components/errors/invalid_name"}],"x-at-least-one":["text","name"\#
        ,"resolves"]},{"name":"note.edit","summary":"Writes edits of the base's text.","paramStructure":"by-name","params":[\#
        {"name":"id","required":true,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"base","required":true,"schema\#
        ":{"$ref":"#/components/schemas/Version"},"description":"What the writer had been shown. Without it: base_required."\#
        ,"x-missing":"base_required"},{"name":"edits","required":true,"schema":{"type":"array","items":{"$ref":"#/components\#
        /schemas/Edit"},"examples":[[{"start":0,"end":0,"text":"a"}]]}},{"name":"resolves","required":false,"schema":{"type"\#
        :"array","items":{"$ref":"#/components/schemas/ConflictId"},"examples":[["0123456789abcdef0123456789abcdef"]]},"desc\#
        ription":"Conflicts that are open at the base."},{"name":"op","required":false,"schema":{"$ref":"#/components/schema\#
        s/Op"}}],"result":{"name":"outcome","schema":{"$ref":"#/components/schemas/Outcome"}},"errors":[{"$ref":"#/component\#
        s/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},\#
        {"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/he\#
        llo_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/com\#
        ponents/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/storag\#
        e_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/note_too_large"},{"$ref":"#/component\#
        s/errors/note_not_found"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{\#
        "$ref":"#/components/errors/base_required"},{"$ref":"#/components/errors/invalid_edit"}]},{"name":"note.delete","sum\#
        mary":"Marks a note as deleted. Its text can be read again at its versions.","paramStructure":"by-name","params":[{"\#
        name":"id","required":true,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"base","required":true,"schema":\#
        {"$ref":"#/components/schemas/Version"},"description":"What the writer had been shown. Without it: base_required.","\#
        x-missing":"base_required"},{"name":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}}],"result":{"n\#
        ame":"outcome","schema":{"$ref":"#/components/schemas/Outcome"}},"errors":[{"$ref":"#/components/errors/parse_error"\#
        },{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components\#
        /errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref\#
        ":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storag\#
        e_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/c\#
        omponents/errors/read_only"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#/components/errors/unknown_base\#
        "},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/base_required"}]},{"name":"note.history\#
        ","summary":"The revisions of a note, newest first.","paramStructure":"by-name","params":[{"name":"id","required":tr\#
        ue,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"limit","required":false,"schema":{"type":"integer","min\#
        imum":1,"maximum":1000,"default":100,"examples":[50]}},{"name":"before","required":false,"schema":{"$ref":"#/compone\#
        nts/schemas/Dot"},"description":"next of the page before."}],"result":{"name":"page","schema":{"type":"object","prop\#
        erties":{"revisions":{"type":"array","items":{"$ref":"#/components/schemas/Revision"}},"next":{"oneOf":[{"$ref":"#/c\#
        omponents/schemas/Dot"},{"type":"null"}]}},"required":["revisions","next"]}},"errors":[{"$ref":"#/components/errors/\#
        parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"\#
        #/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_requi\#
        red"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/e\#
        rrors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/note_not_found"\#
        }]},{"name":"notes.watch","summary":"Tells of each change to the notes in a filter, from here on or from a cursor.",\#
        "paramStructure":"by-name","params":[{"name":"filter","required":false,"schema":{"$ref":"#/components/schemas/Filter\#
        "}},{"name":"include","required":false,"schema":{"type":"string","enum":["meta","text","edits"],"default":"meta","ex\#
        amples":["text"]}},{"name":"since","required":false,"schema":{"$ref":"#/components/schemas/Cursor"}},{"name":"snapsh\#
        ot","required":false,"schema":{"type":"boolean","default":true,"examples":[false]}},{"name":"echo","required":false,\#
        "schema":{"type":"boolean","default":true,"examples":[false]}}],"result":{"name":"watch","schema":{"type":"object","\#
        properties":{"watch":{"type":"integer","minimum":0},"cursor":{"$ref":"#/components/schemas/Cursor"},"reset":{"type":\#
        "boolean"}},"required":["watch","cursor","reset"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/\#
        components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_\#
        too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/componen\#
        ts/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"\#
        $ref":"#/components/errors/permission_denied"}]},{"name":"notes.unwatch","summary":"Ends a watch.","paramStructure":\#
        "by-name","params":[{"name":"watch","required":true,"schema":{"type":"integer","minimum":1,"examples":[1]}}],"result\#
        ":{"name":"nothing","schema":{"type":"object","properties":{},"required":[]}},"errors":[{"$ref":"#/components/errors\#
        /parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":\#
        "#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_requ\#
        ired"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"}]},{"name":"presence.se\#
        t","summary":"Says which note the user has open here. May be sent without id, and then is not answered.","paramStruc\#
        ture":"by-name","params":[{"name":"note","required":true,"schema":{"oneOf":[{"$ref":"#/components/schemas/NoteId"},{\#
        "type":"null"}],"examples":["01890a5d-ac96-774b-bcce-b302099a8057"]},"description":"null: none any more; then withou\#
        t version and selection."},{"name":"version","required":false,"schema":{"$ref":"#/components/schemas/Version"},"desc\#
        ription":"What is shown of it."},{"name":"selection","required":false,"schema":{"oneOf":[{"$ref":"#/components/schem\#
        as/Selection"},{"type":"null"}],"examples":[{"start":0,"end":0}]},"description":"In the text at the version; null as\#
         if it were not there.","x-needs":"version"}],"result":{"name":"nothing","schema":{"type":"object","properties":{},"\#
        required":[]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{\#
        "$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/erro\#
        rs/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/com\#
        ponents/errors/shutting_down"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#/components/errors/unknown_ba\#
        se"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/storage_failed"}]},{"name":"dependent\#
        s.list","summary":"Who is connected.","paramStructure":"by-name","params":[],"result":{"name":"dependents","schema":\#
        {"type":"object","properties":{"dependents":{"type":"array","items":{"$ref":"#/components/schemas/Dependent"}}},"req\#
        uired":["dependents"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_re\#
        quest"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/compon\#
        ents/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$re\#
        f":"#/components/errors/shutting_down"}]},{"name":"daemon.status","summary":"What the daemon holds and how it stands\#
        .","paramStructure":"by-name","params":[],"result":{"name":"status","schema":{"type":"object","properties":{"version\#
        ":{"type":"string"},"store":{"$ref":"#/components/schemas/ReplicaId"},"replica":{"$ref":"#/components/schemas/Replic\#
        aId"},"startedAt":{"$ref":"#/components/schemas/Time"},"notes":{"type":"integer","minimum":0},"tombstones":{"type":"\#
        integer","minimum":0},"revisions":{"type":"integer","minimum":0},"conflicted":{"type":"integer","minimum":0,"descrip\#
        tion":"Notes with open conflicts."},"dependents":{"type":"integer","minimum":0},"commits":{"type":"integer","minimum\#
        ":0},"lastCommitAt":{"oneOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"storeBytes":{"type":"integer",\#
        "minimum":0},"walBytes":{"type":"integer","minimum":0},"standing":{"type":"string","enum":["ok","full","read_only"]}\#
        },"required":["version","store","replica","startedAt","notes","tombstones","revisions","conflicted","dependents","co\#
        mmits","lastCommitAt","storeBytes","walBytes","standing"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$\#
        ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/erro\#
        rs/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/\#
        components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_fai\#
        led"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"daemon.audit","summary":"Reads the whole store aga\#
        in and compares it with what the daemon shows. May take a while; progress tells how far it is.","paramStructure":"by\#
        -name","params":[],"result":{"name":"audit","schema":{"type":"object","properties":{"ok":{"type":"boolean","descript\#
        ion":"Whether nothing was found."},"notes":{"type":"integer","minimum":0},"revisions":{"type":"integer","minimum":0}\#
        ,"findings":{"type":"array","items":{"$ref":"#/components/schemas/Finding"}},"waiting":{"type":"array","items":{"$re\#
        f":"#/components/schemas/Waiting"},"description":"Revisions that came before their parents, by note; no fault."},"th\#
        inned":{"type":"integer","minimum":0,"description":"How many of the revisions have had their texts thinned out."}},"\#
        required":["ok","notes","revisions","findings"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/co\#
        mponents/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_to\#
        o_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components\#
        /errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$r\#
        ef":"#/components/errors/permission_denied"}]},{"name":"daemon.config","summary":"The settings that hold, and where \#
        each was said. Needs admin. There where capabilities has \"config\".","paramStructure":"by-name","params":[],"result\#
        ":{"name":"config","schema":{"type":"object","properties":{"settings":{"type":"array","items":{"$ref":"#/components/\#
        schemas/Setting"}}},"required":["settings"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/compon\#
        ents/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_lo\#
        ng"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/err\#
        ors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/permission_denied"}]},{"n\#
        ame":"daemon.backup","summary":"Copies the store into a file, while others are served. It has all that was answered \#
        before; when this is answered the file is whole and on disk. May take a while; progress tells how many bytes are don\#
        e.","paramStructure":"by-name","params":[{"name":"path","required":false,"schema":{"type":"string","examples":["/mnt\#
        /usb/notes.db"]},"description":"Absolute, on the daemon's machine, where nothing is yet; or a folder there, which ge\#
        ts a file named by the time; or a name alone, in the daemon's folder for backups. Without it: a name by the time, in\#
         that folder. More than a name only for the daemon's user and root: others get 6001."}],"result":{"name":"backup","s\#
        chema":{"type":"object","properties":{"path":{"type":"string","description":"Absolute."},"bytes":{"type":"integer","\#
        minimum":0}},"required":["path","bytes"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/component\#
        s/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"\#
        },{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors\#
        /overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/co\#
        mponents/errors/storage_failed"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/permission_de\#
        nied"}]},{"name":"daemon.metrics","summary":"What the daemon has counted of itself since its start, and how large it\#
        s store is.","paramStructure":"by-name","params":[],"result":{"name":"metrics","schema":{"type":"object","properties\#
        ":{"text":{"type":"string","description":"OpenMetrics 1.0, to its last line."}},"required":["text"]}},"errors":[{"$r\#
        ef":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/i\#
        nvalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/comp\#
        onents/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"\#
        },{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]}],"x-notifications\#
        ":[{"name":"note.changed","summary":"What happened to a note; the first word of change that applies.","params":{"typ\#
        e":"object","properties":{"watch":{"type":"integer","minimum":0},"seq":{"type":"integer","minimum":0,"description":"\#
        Rises by exactly 1 from 1 within a watch."},"cursor":{"$ref":"#/components/schemas/Cursor"},"change":{"type":"string\#
        ","enum":["snapshot","left","deleted","created","restored","conflicted","resolved","edited"]},"note":{"oneOf":[{"$re\#
        f":"#/components/schemas/Note"},{"$ref":"#/components/schemas/NoteLeft"}]},"coalesced":{"type":"integer","minimum":2\#
        ,"description":"How many changes the line stands for."},"origin":{"type":"object","properties":{"dependent":{"type":\#
        "integer","minimum":0},"label":{"oneOf":[{"$ref":"#/components/schemas/Label"},{"type":"null"}]}},"required":["depen\#
        dent","label"],"description":"Whose the newest change was."}},"required":["watch","seq","cursor","change","note"]}},\#
        {"name":"watch.synced","summary":"The snapshot, or what was missed, has been told.","params":{"type":"object","prope\#
        rties":{"watch":{"type":"integer","minimum":0},"seq":{"type":"integer","minimum":0},"cursor":{"$ref":"#/components/s\#
        chemas/Cursor"}},"required":["watch","seq","cursor"]}},{"name":"watch.bookmark","summary":"Every 30 seconds in which\#
         a watch has nothing to say.","params":{"type":"object","properties":{"watch":{"type":"integer","minimum":0},"seq":{\#
        "type":"integer","minimum":0},"cursor":{"$ref":"#/components/schemas/Cursor"}},"required":["watch","seq","cursor"]}}\#
        ,{"name":"watch.reset","summary":"Lines were dropped; what changed since the last delivered cursor follows.","params\#
        ":{"type":"object","properties":{"watch":{"type":"integer","minimum":0},"seq":{"type":"integer","minimum":0},"reason\#
        ":{"type":"string"}},"required":["watch","seq","reason"]}},{"name":"session.closing","summary":"The last line before\#
         the daemon closes the connection.","params":{"type":"object","properties":{"reason":{"type":"string"},"retryAfterMs\#
        ":{"oneOf":[{"type":"integer","minimum":0},{"type":"null"}]}},"required":["reason","retryAfterMs"]}},{"name":"progre\#
        ss","summary":"How far a request has come that takes a while. Any number of them, before its answer.","params":{"typ\#
        e":"object","properties":{"id":{"oneOf":[{"type":"integer"},{"type":"string"}],"description":"Of the request."},"don\#
        e":{"type":"integer","minimum":0},"total":{"type":"integer","minimum":0}},"required":["id","done","total"]}},{"name"\#
        :"presence.changed","summary":"Where somebody is in a note, to each connection with a watch that covers it.","params\#
        ":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/NoteId"},"dependent":{"type":"integer","minimu\#
        m":0},"label":{"oneOf":[{"$ref":"#/components/schemas/Label"},{"type":"null"}]},"user":{"$ref":"#/components/schemas\#
        /User"},"version":{"oneOf":[{"$ref":"#/components/schemas/Version"},{"type":"null"}],"description":"What is shown th\#
        ere; empty where that was not said; null where he is there no more."},"selection":{"oneOf":[{"$ref":"#/components/sc\#
        hemas/Selection"},{"type":"null"}]}},"required":["note","dependent","label","user","version","selection"]}}],"compon\#
        ents":{"schemas":{"NoteId":{"type":"string","pattern":"^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a\#
        -f]{12}$","description":"A UUID of version 7, in lower case.","examples":["01890a5d-ac96-774b-bcce-b302099a8057"]},"\#
        Dot":{"type":"string","pattern":"^[0-9a-f]{16}:[1-9][0-9]*$","description":"The name of one revision in the whole wo\#
        rld: the run of a daemon that made it, and as its how-manieth.","examples":["9f86d081884c7d65:7"]},"Version":{"type"\#
        :"string","pattern":"^([0-9a-f]{16}:[1-9][0-9]*( [0-9a-f]{16}:[1-9][0-9]*)*)?$","description":"A set of revisions, n\#
        amed by its maximal dots, sorted and joined by single spaces; usually one dot. Empty: nothing was seen. A client may\#
         give dots in any order and with repeats.","examples":["9f86d081884c7d65:7"]},"Cursor":{"type":"string","description\#
        ":"A place in a store's commit order. Opaque.","examples":["42.9f86d081884c7d65"]},"ConflictId":{"type":"string","pa\#
        ttern":"^[0-9a-f]{32}$","examples":["0123456789abcdef0123456789abcdef"]},"ReplicaId":{"type":"string","pattern":"^[0\#
        -9a-f]{16}$","examples":["9f86d081884c7d65"]},"Time":{"type":"string","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2\#
        }:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$","description":"RFC 3339, UTC, milliseconds. For people only.","examples":["2026-11\#
        -20T23:29:57.123Z"]},"NoteName":{"type":"string","minLength":1,"description":"Path-like, such as work/inbox: 1 to 25\#
        5 bytes a part, no empty part, no . or .. part, no control character, 1,024 bytes in all.","examples":["work/inbox"]\#
        },"Op":{"type":"string","minLength":1,"description":"A name for this write, unique for the user, of at most 64 bytes\#
        . Sent again under it, the write is not repeated.","examples":["7f3a"]},"Label":{"type":"string","description":"At m\#
        ost 1,024 bytes.","examples":["laptop/vim"]},"PositionEncoding":{"type":"string","enum":["utf-8","utf-16","utf-32"],\#
        "description":"What offsets count: code units of UTF-8 or UTF-16, or Unicode scalars."},"Edit":{"type":"object","pro\#
        perties":{"start":{"type":"integer"},"end":{"type":"integer"},"text":{"type":"string"}},"required":["start","end","t\#
        ext"],"description":"A range of a text, replaced. Offsets are those of the text before any edit of the list, in the \#
        session's encoding; edits are sorted and do not overlap.","examples":[{"start":0,"end":0,"text":"a"}]},"Filter":{"ty\#
        pe":"object","properties":{"ids":{"type":"array","items":{"$ref":"#/components/schemas/NoteId"}},"prefix":{"type":"s\#
        tring"},"tag":{"type":"string"},"conflicted":{"type":"boolean"},"deleted":{"type":"boolean","description":"Only tomb\#
        stones; without it none."}},"required":[],"additionalProperties":false,"description":"All members must hold.","examp\#
        les":[{"prefix":"work/"}]},"Client":{"type":"object","properties":{"name":{"$ref":"#/components/schemas/Label"},"ver\#
        sion":{"$ref":"#/components/schemas/Label"}},"required":["name"],"examples":[{"name":"notesctl","version":"0.1.0"}]}\#
        ,"User":{"type":"object","properties":{"uid":{"type":"integer","minimum":0},"name":{"type":"string"}},"required":["u\#
        id","name"]},"Author":{"type":"object","properties":{"user":{"type":"string"},"label":{"oneOf":[{"type":"string"},{"\#
        type":"null"}]}},"required":["user","label"]},"Limits":{"type":"object","properties":{"maxLineBytes":{"type":"intege\#
        r","minimum":0,"description":"Of a line, without its LF."},"maxNoteBytes":{"type":"integer","minimum":0},"maxInFligh\#
        t":{"type":"integer","minimum":0,"description":"Requests that wait for their answers."},"maxDepth":{"type":"integer"\#
        ,"minimum":0,"description":"Of nested arrays and objects."},"maxResponseBytes":{"type":"integer","minimum":0,"descript\#
        ion":"Answers that wait to be read."}},"required":["maxLineBytes","maxNoteBytes","maxInFlight","maxDepth","maxAnswer\#
        Bytes"]},"SearchQuery":{"type":"string","maxLength":4096,"examples":["milk bread"]},"Hit":{"type":"object","properti\#
        es":{"note":{"$ref":"#/components/schemas/Note"},"snippet":{"type":"string","description":"A piece of the note's tex\#
        t around what was found first in it."},"ranges":{"type":"array","items":{"type":"object","properties":{"start":{"typ\#
        e":"integer","minimum":0},"end":{"type":"integer","minimum":0}},"required":["start","end"]},"description":"What was \#
        found in the snippet, in the session's encoding; ascending, and apart."}},"required":["note","snippet","ranges"]},"C\#
        onflict":{"type":"object","properties":{"id":{"$ref":"#/components/schemas/ConflictId"},"kind":{"type":"string","enu\#
        m":["text","name","deletion"]},"range":{"type":"object","properties":{"start":{"type":"integer","minimum":0},"end":{\#
        "type":"integer","minimum":0}},"required":["start","end"],"description":"Whole lines of the text that the note shows\#
        , in the session's encoding; all of it for a deletion, nothing at its start for a name."},"base":{"oneOf":[{"type":"\#
        string"},{"type":"null"}],"description":"What all sides started from: of a text the lines, of a name the name; null \#
        for a deletion."},"sides":{"type":"array","items":{"$ref":"#/components/schemas/Side"}}},"required":["id","kind","ra\#
        nge"],"description":"Where concurrent writes touched. base and sides stand where the note's text or edits stand too,\#
         and in outcomes."},"Side":{"type":"object","properties":{"dot":{"$ref":"#/components/schemas/Dot"},"author":{"$ref"\#
        :"#/components/schemas/Author"},"modified":{"$ref":"#/components/schemas/Time"},"text":{"type":"string","description\#
        ":"What it has in the range's place; the whole text where the other side deleted the note."},"name":{"oneOf":[{"$ref\#
        ":"#/components/schemas/NoteName"},{"type":"null"}]},"deleted":{"type":"boolean","description":"true; the side that \#
        deleted the note."}},"required":["dot","author","modified"],"description":"One of those who disagree in a conflict, \#
        at its newest revision. It has one of text, name and deleted."},"Note":{"type":"object","properties":{"id":{"$ref":"\#
        #/components/schemas/NoteId"},"name":{"oneOf":[{"$ref":"#/components/schemas/NoteName"},{"type":"null"}]},"version":\#
        {"$ref":"#/components/schemas/Version"},"siblings":{"type":"array","items":{"$ref":"#/components/schemas/Dot"}},"vec\#
        tor":{"type":"object","additionalProperties":{"type":"integer"}},"conflicts":{"type":"array","items":{"$ref":"#/comp\#
        onents/schemas/Conflict"}},"title":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}},"created":{"$\#
        ref":"#/components/schemas/Time"},"modified":{"$ref":"#/components/schemas/Time"},"author":{"$ref":"#/components/sch\#
        emas/Author"},"bytes":{"type":"integer","minimum":0},"deleted":{"type":"boolean"},"text":{"type":"string"},"base":{"\#
        $ref":"#/components/schemas/Version"},"edits":{"type":"array","items":{"$ref":"#/components/schemas/Edit"}}},"requir\#
        ed":["id","name","version","conflicts","title","tags","created","modified","author","bytes","deleted"],"description"\#
        :"siblings and vector stand in note.get only, text or edits where they were asked for, base beside edits in watch li\#
        nes."},"NoteLeft":{"type":"object","properties":{"id":{"$ref":"#/components/schemas/NoteId"},"version":{"$ref":"#/co\#
        mponents/schemas/Version"}},"required":["id","version"],"description":"Of a note that is no longer in the filter."},\#
        "Shown":{"type":"object","properties":{"version":{"$ref":"#/components/schemas/Version"},"edits":{"type":"array","it\#
        ems":{"$ref":"#/components/schemas/Edit"}},"conflicts":{"type":"array","items":{"$ref":"#/components/schemas/Conflic\#
        t"}},"text":{"type":"string"}},"required":["version","conflicts"],"description":"What the note shows where that is n\#
        ot what was sent. edits turn the sent text into the shown one; version is the base to use once the client shows it."\#
        },"Outcome":{"type":"object","properties":{"outcome":{"type":"string","enum":["saved","merged","conflicted","unchang\#
        ed"]},"dot":{"$ref":"#/components/schemas/Dot"},"version":{"$ref":"#/components/schemas/Version"},"note":{"$ref":"#/\#
        components/schemas/Shown"},"replayed":{"type":"boolean"}},"required":["outcome","version"],"description":"dot is abs\#
        ent where the note is unchanged; replayed stands where the op had been sent before."},"Revision":{"type":"object","p\#
        roperties":{"dot":{"$ref":"#/components/schemas/Dot"},"parents":{"type":"array","items":{"$ref":"#/components/schema\#
        s/Dot"}},"version":{"$ref":"#/components/schemas/Version"},"author":{"$ref":"#/components/schemas/Author"},"modified\#
        ":{"$ref":"#/components/schemas/Time"},"bytes":{"type":"integer","minimum":0},"deleted":{"type":"boolean"},"name":{"\#
        oneOf":[{"$ref":"#/components/schemas/NoteName"},{"type":"null"}]},"how":{"type":"string","enum":["saved","edited"]}\#
        ,"thinned":{"type":"boolean","description":"Whether its text was thinned out; absent where it is there."}},"required\#
        ":["dot","parents","version","author","modified","bytes","deleted","name","how"]},"Setting":{"type":"object","proper\#
        ties":{"key":{"type":"string","examples":["limits.depth_max"]},"value":{"oneOf":[{"type":"string"},{"type":"null"}],\#
        "description":"As it would stand in the configuration file; null where nothing was said and the daemon chooses."},"o\#
        rigin":{"type":"string","description":"A file, a variable of the environment, an option, or \"default\"."},"reloadab\#
        le":{"type":"boolean","description":"Whether it is taken over while the daemon runs."},"pending":{"oneOf":[{"type":"\#
        string"},{"type":"null"}],"description":"What the next start will take over, where that is something else."}},"requi\#
        red":["key","value","origin","reloadable","pending"]},"Finding":{"type":"object","properties":{"note":{"oneOf":[{"$r\#
        ef":"#/components/schemas/NoteId"},{"type":"null"}]},"dot":{"oneOf":[{"$ref":"#/components/schemas/Dot"},{"type":"nu\#
        ll"}]},"what":{"type":"string","description":"For people."}},"required":["note","dot","what"],"description":"Somethi\#
        ng that an audit found. note and dot are null where it is about neither."},"Waiting":{"type":"object","properties":{\#
        "note":{"$ref":"#/components/schemas/NoteId"},"revisions":{"type":"integer","minimum":0,"description":"How many wait\#
        ."},"parents":{"type":"array","items":{"$ref":"#/components/schemas/Dot"},"description":"What has to come first; at \#
        most 100 are named."}},"required":["note","revisions","parents"],"description":"Revisions of other replicas that wai\#
        t for their parents in one note."},"Selection":{"type":"object","properties":{"start":{"type":"integer","minimum":0}\#
        ,"end":{"type":"integer","minimum":0}},"required":["start","end"],"description":"Offsets in the session's encoding. \#
        A cursor starts where it ends."},"Presence":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/Note\#
        Id"},"version":{"$ref":"#/components/schemas/Version"},"selection":{"oneOf":[{"$ref":"#/components/schemas/Selection\#
        "},{"type":"null"}]}},"required":["note","version","selection"]},"Dependent":{"type":"object","properties":{"depende\#
        nt":{"type":"integer","minimum":0},"client":{"$ref":"#/components/schemas/Client"},"label":{"oneOf":[{"$ref":"#/comp\#
        onents/schemas/Label"},{"type":"null"}]},"user":{"$ref":"#/components/schemas/User"},"watches":{"type":"integer","mi\#
        nimum":0,"description":"How many it has."},"standing":{"type":"string","enum":["synced","lagging","reset"]},"outboxB\#
        ytes":{"type":"integer","minimum":0},"presence":{"oneOf":[{"$ref":"#/components/schemas/Presence"},{"type":"null"}],\#
        "description":"Which note the user has open there."}},"required":["dependent","client","label","user","watches","sta\#
        nding","outboxBytes","presence"]}},"errors":{"parse_error":{"code":-32700,"message":"The line is not JSON as this pr\#
        otocol reads it.","data":{"kind":"parse_error","retryable":false,"details":["offset"]}},"invalid_request":{"code":-3\#
        2600,"message":"The line is no JSON-RPC request, or one that cannot stand here.","data":{"kind":"invalid_request","r\#
        etryable":false,"details":["path"]}},"method_not_found":{"code":-32601,"message":"There is no such method.","data":{\#
        "kind":"method_not_found","retryable":false,"details":[]}},"invalid_params":{"code":-32602,"message":"A param is mis\#
        sing, not known, or of a wrong type or form.","data":{"kind":"invalid_params","retryable":false,"details":["path","o\#
        ffset"]}},"internal":{"code":-32603,"message":"The daemon failed through a fault of its own.","data":{"kind":"intern\#
        al","retryable":false,"details":[]}},"hello_required":{"code":1001,"message":"session.hello comes first.","data":{"k\#
        ind":"hello_required","retryable":false,"details":[]}},"unsupported_protocol":{"code":1002,"message":"No version of \#
        the protocol is spoken by both.","data":{"kind":"unsupported_protocol","retryable":false,"details":["supported"]}},"\#
        note_not_found":{"code":2001,"message":"There is no such note.","data":{"kind":"note_not_found","retryable":false,"d\#
        etails":[]}},"note_exists":{"code":2002,"message":"The id or the name is taken.","data":{"kind":"note_exists","retry\#
        able":false,"details":["id"]}},"unknown_base":{"code":2003,"message":"The base names a revision that is not this not\#
        e's, or not known.","data":{"kind":"unknown_base","retryable":"where the revision is another replica's and may still\#
         arrive","details":["known"]}},"revision_gone":{"code":2004,"message":"The text of that version was thinned out.","d\#
        ata":{"kind":"revision_gone","retryable":false,"details":["version"]}},"base_required":{"code":2005,"message":"An ex\#
        isting note is written on a base.","data":{"kind":"base_required","retryable":false,"details":["version"]}},"invalid\#
        _edit":{"code":2006,"message":"An edit cannot be made in the base's text.","data":{"kind":"invalid_edit","retryable"\#
        :false,"details":["index"]}},"invalid_name":{"code":2007,"message":"That is no name for a note.","data":{"kind":"inv\#
        alid_name","retryable":false,"details":[]}},"storage_full":{"code":3001,"message":"There is no room for it on the di\#
        sk.","data":{"kind":"storage_full","retryable":true,"details":[]}},"storage_failed":{"code":3002,"message":"The stor\#
        e failed at it.","data":{"kind":"storage_failed","retryable":true,"details":[]}},"read_only":{"code":3003,"message":\#
        "The store cannot be written.","data":{"kind":"read_only","retryable":false,"details":[]}},"line_too_long":{"code":4\#
        001,"message":"The line was skipped; the third one closes the connection.","data":{"kind":"line_too_long","retryable\#
        ":false,"details":["limit"]}},"note_too_large":{"code":4002,"message":"The note would be larger than notes may be.",\#
        "data":{"kind":"note_too_large","retryable":false,"details":["bytes","limit"]}},"overloaded":{"code":4003,"message":\#
        "More is asked than can be done at once.","data":{"kind":"overloaded","retryable":true,"details":[]}},"permission_de\#
        nied":{"code":6001,"message":"The user may not do that.","data":{"kind":"permission_denied","retryable":false,"detai\#
        ls":[]}},"shutting_down":{"code":7001,"message":"The daemon is stopping.","data":{"kind":"shutting_down","retryable"\#
        :true,"details":[]}}}}}
        """#
}
