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
        $ref":"#/components/errors/permission_denied"}]},{"name":"note.save","summary":"Writes a whole text, a name, or both\#
        , on a base.","paramStructure":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/components/schem\#
        as/NoteId"}},{"name":"base","required":true,"schema":{"$ref":"#/components/schemas/Version"},"description":"What the\#
         writer had been shown. Without it: base_required.","x-missing":"base_required"},{"name":"text","required":false,"sc\#
        hema":{"type":"string","examples":["Hello\n"]}},{"name":"name","required":false,"schema":{"oneOf":[{"$ref":"#/compon\#
        ents/schemas/NoteName"},{"type":"null"}],"examples":["work/done"]},"description":"null clears it."},{"name":"resolve\#
        s","required":false,"schema":{"type":"array","items":{"$ref":"#/components/schemas/ConflictId"},"examples":[["012345\#
        6789abcdef0123456789abcdef"]]},"description":"Conflicts that are open at the base."},{"name":"op","required":false,"\#
        schema":{"$ref":"#/components/schemas/Op"}}],"result":{"name":"outcome","schema":{"$ref":"#/components/schemas/Outco\#
        me"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#\#
        /components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/intern\#
        al"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/e\#
        rrors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}\#
        ,{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/n\#
        ote_too_large"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#/components/errors/note_exists"},{"$ref":"#/\#
        components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/base_requ\#
        ired"},{"$ref":"#/components/errors/invalid_name"}],"x-at-least-one":["text","name","resolves"]},{"name":"note.edit"\#
        ,"summary":"Writes edits of the base's text.","paramStructure":"by-name","params":[{"name":"id","required":true,"sch\#
        ema":{"$ref":"#/components/schemas/NoteId"}},{"name":"base","required":true,"schema":{"$ref":"#/components/schemas/V\#
        ersion"},"description":"What the writer had been shown. Without it: base_required.","x-missing":"base_required"},{"n\#
        ame":"edits","required":true,"schema":{"type":"array","items":{"$ref":"#/components/schemas/Edit"},"examples":[[{"st\#
        art":0,"end":0,"text":"a"}]]}},{"name":"resolves","required":false,"schema":{"type":"array","items":{"$ref":"#/compo\#
        nents/schemas/ConflictId"},"examples":[["0123456789abcdef0123456789abcdef"]]},"description":"Conflicts that are open\#
         at the base."},{"name":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}}],"result":{"name":"outcom\#
        e","schema":{"$ref":"#/components/schemas/Outcome"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#\#
        /components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line\#
        _too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/compone\#
        nts/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{\#
        "$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/er\#
        rors/read_only"},{"$ref":"#/components/errors/note_too_large"},{"$ref":"#/components/errors/note_not_found"},{"$ref"\#
        :"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/base_\#
        required"},{"$ref":"#/components/errors/invalid_edit"}]},{"name":"note.delete","summary":"Marks a note as deleted. I\#
        ts text can be read again at its versions.","paramStructure":"by-name","params":[{"name":"id","required":true,"schem\#
        a":{"$ref":"#/components/schemas/NoteId"}},{"name":"base","required":true,"schema":{"$ref":"#/components/schemas/Ver\#
        sion"},"description":"What the writer had been shown. Without it: base_required.","x-missing":"base_required"},{"nam\#
        e":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}}],"result":{"name":"outcome","schema":{"$ref":"\#
        #/components/schemas/Outcome"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/in\#
        valid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"\#
        #/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded\#
        "},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/\#
        errors/permission_denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$r\#
        ef":"#/components/errors/note_not_found"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/r\#
        evision_gone"},{"$ref":"#/components/errors/base_required"}]},{"name":"note.history","summary":"The revisions of a n\#
        ote, newest first.","paramStructure":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/components\#
        /schemas/NoteId"}},{"name":"limit","required":false,"schema":{"type":"integer","minimum":1,"maximum":1000,"default":\#
        100,"examples":[50]}},{"name":"before","required":false,"schema":{"$ref":"#/components/schemas/Dot"},"description":"\#
        next of the page before."}],"result":{"name":"page","schema":{"type":"object","properties":{"revisions":{"type":"arr\#
        ay","items":{"$ref":"#/components/schemas/Revision"}},"next":{"oneOf":[{"$ref":"#/components/schemas/Dot"},{"type":"\#
        null"}]}},"required":["revisions","next"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/componen\#
        ts/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long\#
        "},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/error\#
        s/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#\#
        /components/errors/permission_denied"},{"$ref":"#/components/errors/note_not_found"}]},{"name":"notes.watch","summar\#
        y":"Tells of each change to the notes in a filter, from here on or from a cursor.","paramStructure":"by-name","param\#
        s":[{"name":"filter","required":false,"schema":{"$ref":"#/components/schemas/Filter"}},{"name":"include","required":\#
        false,"schema":{"type":"string","enum":["meta","text","edits"],"default":"meta","examples":["text"]}},{"name":"since\#
        ","required":false,"schema":{"$ref":"#/components/schemas/Cursor"}},{"name":"snapshot","required":false,"schema":{"t\#
        ype":"boolean","default":true,"examples":[false]}},{"name":"echo","required":false,"schema":{"type":"boolean","defau\#
        lt":true,"examples":[false]}}],"result":{"name":"watch","schema":{"type":"object","properties":{"watch":{"type":"int\#
        eger","minimum":0},"cursor":{"$ref":"#/components/schemas/Cursor"},"reset":{"type":"boolean"}},"required":["watch","\#
        cursor","reset"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request\#
        "},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/\#
        errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#\#
        /components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permis\#
        sion_denied"}]},{"name":"notes.unwatch","summary":"Ends a watch.","paramStructure":"by-name","params":[{"name":"watc\#
        h","required":true,"schema":{"type":"integer","minimum":1,"examples":[1]}}],"result":{"name":"nothing","schema":{"ty\#
        pe":"object","properties":{},"required":[]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/compone\#
        nts/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_lon\#
        g"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/erro\#
        rs/overloaded"},{"$ref":"#/components/errors/shutting_down"}]},{"name":"dependents.list","summary":"Who is connected\#
        .","paramStructure":"by-name","params":[],"result":{"name":"dependents","schema":{"type":"object","properties":{"dep\#
        endents":{"type":"array","items":{"$ref":"#/components/schemas/Dependent"}}},"required":["dependents"]}},"errors":[{\#
        "$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/error\#
        s/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/c\#
        omponents/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_do\#
        wn"}]},{"name":"daemon.status","summary":"What the daemon holds and how it stands.","paramStructure":"by-name","para\#
        ms":[],"result":{"name":"status","schema":{"type":"object","properties":{"version":{"type":"string"},"store":{"$ref"\#
        :"#/components/schemas/ReplicaId"},"replica":{"$ref":"#/components/schemas/ReplicaId"},"startedAt":{"$ref":"#/compon\#
        ents/schemas/Time"},"notes":{"type":"integer","minimum":0},"tombstones":{"type":"integer","minimum":0},"revisions":{\#
        "type":"integer","minimum":0},"conflicted":{"type":"integer","minimum":0,"description":"Notes with open conflicts."}\#
        ,"dependents":{"type":"integer","minimum":0},"commits":{"type":"integer","minimum":0},"lastCommitAt":{"oneOf":[{"$re\#
        f":"#/components/schemas/Time"},{"type":"null"}]},"storeBytes":{"type":"integer","minimum":0},"walBytes":{"type":"in\#
        teger","minimum":0},"standing":{"type":"string","enum":["ok","full","read_only"]}},"required":["version","store","re\#
        plica","startedAt","notes","tombstones","revisions","conflicted","dependents","commits","lastCommitAt","storeBytes",\#
        "walBytes","standing"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_r\#
        equest"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/compo\#
        nents/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$r\#
        ef":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/\#
        permission_denied"}]},{"name":"daemon.audit","summary":"Reads the whole store again and compares it with what the da\#
        emon shows. May take a while; progress tells how far it is.","paramStructure":"by-name","params":[],"result":{"name"\#
        :"audit","schema":{"type":"object","properties":{"ok":{"type":"boolean","description":"Whether nothing was found."},\#
        "notes":{"type":"integer","minimum":0},"revisions":{"type":"integer","minimum":0},"findings":{"type":"array","items"\#
        :{"$ref":"#/components/schemas/Finding"}},"waiting":{"type":"array","items":{"$ref":"#/components/schemas/Waiting"},\#
        "description":"Revisions that came before their parents, by note; no fault."},"thinned":{"type":"integer","minimum":\#
        0,"description":"How many of the revisions have had their texts thinned out."}},"required":["ok","notes","revisions"\#
        ,"findings"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{\#
        "$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/erro\#
        rs/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/com\#
        ponents/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission\#
        _denied"}]},{"name":"daemon.backup","summary":"Copies the store into a file, while others are served. It has all tha\#
        t was answered before; when this is answered the file is whole and on disk. May take a while; progress tells how man\#
        y bytes are done.","paramStructure":"by-name","params":[{"name":"path","required":false,"schema":{"type":"string","e\#
        xamples":["/mnt/usb/notes.db"]},"description":"Absolute, on the daemon's machine, where nothing is yet; or a folder \#
        there, which gets a file named by the time; or a name alone, in the daemon's folder for backups. Without it: a name \#
        by the time, in that folder."}],"result":{"name":"backup","schema":{"type":"object","properties":{"path":{"type":"st\#
        ring","description":"Absolute."},"bytes":{"type":"integer","minimum":0}},"required":["path","bytes"]}},"errors":[{"$\#
        ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/\#
        invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/com\#
        ponents/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down\#
        "},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/e\#
        rrors/read_only"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"daemon.metrics","summary":"What the da\#
        emon has counted of itself since its start, and how large its store is.","paramStructure":"by-name","params":[],"res\#
        ult":{"name":"metrics","schema":{"type":"object","properties":{"text":{"type":"string","description":"OpenMetrics 1.\#
        0, to its last line."}},"required":["text"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/compon\#
        ents/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_lo\#
        ng"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/err\#
        ors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":\#
        "#/components/errors/permission_denied"}]}],"x-notifications":[{"name":"note.changed","summary":"What happened to a \#
        note; the first word of change that applies.","params":{"type":"object","properties":{"watch":{"type":"integer","min\#
        imum":0},"seq":{"type":"integer","minimum":0,"description":"Rises by exactly 1 from 1 within a watch."},"cursor":{"$\#
        ref":"#/components/schemas/Cursor"},"change":{"type":"string","enum":["snapshot","left","deleted","created","restore\#
        d","conflicted","resolved","edited"]},"note":{"oneOf":[{"$ref":"#/components/schemas/Note"},{"$ref":"#/components/sc\#
        hemas/NoteLeft"}]},"coalesced":{"type":"integer","minimum":2,"description":"How many changes the line stands for."},\#
        "origin":{"type":"object","properties":{"dependent":{"type":"integer","minimum":0},"label":{"oneOf":[{"$ref":"#/comp\#
        onents/schemas/Label"},{"type":"null"}]}},"required":["dependent","label"],"description":"Whose the newest change wa\#
        s."}},"required":["watch","seq","cursor","change","note"]}},{"name":"watch.synced","summary":"The snapshot, or what \#
        was missed, has been told.","params":{"type":"object","properties":{"watch":{"type":"integer","minimum":0},"seq":{"t\#
        ype":"integer","minimum":0},"cursor":{"$ref":"#/components/schemas/Cursor"}},"required":["watch","seq","cursor"]}},{\#
        "name":"watch.bookmark","summary":"Every 30 seconds in which a watch has nothing to say.","params":{"type":"object",\#
        "properties":{"watch":{"type":"integer","minimum":0},"seq":{"type":"integer","minimum":0},"cursor":{"$ref":"#/compon\#
        ents/schemas/Cursor"}},"required":["watch","seq","cursor"]}},{"name":"watch.reset","summary":"Lines were dropped; wh\#
        at changed since the last delivered cursor follows.","params":{"type":"object","properties":{"watch":{"type":"intege\#
        r","minimum":0},"seq":{"type":"integer","minimum":0},"reason":{"type":"string"}},"required":["watch","seq","reason"]\#
        }},{"name":"session.closing","summary":"The last line before the daemon closes the connection.","params":{"type":"ob\#
        ject","properties":{"reason":{"type":"string"},"retryAfterMs":{"oneOf":[{"type":"integer","minimum":0},{"type":"null\#
        "}]}},"required":["reason","retryAfterMs"]}},{"name":"progress","summary":"How far a request has come that takes a w\#
        hile. Any number of them, before its answer.","params":{"type":"object","properties":{"id":{"oneOf":[{"type":"intege\#
        r"},{"type":"string"}],"description":"Of the request."},"done":{"type":"integer","minimum":0},"total":{"type":"integ\#
        er","minimum":0}},"required":["id","done","total"]}}],"components":{"schemas":{"NoteId":{"type":"string","pattern":"\#
        ^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$","description":"A UUID of version 7, in lower \#
        case.","examples":["01890a5d-ac96-774b-bcce-b302099a8057"]},"Dot":{"type":"string","pattern":"^[0-9a-f]{16}:[1-9][0-\#
        9]*$","description":"The name of one revision in the whole world: the run of a daemon that made it, and as its how-m\#
        anieth.","examples":["9f86d081884c7d65:7"]},"Version":{"type":"string","pattern":"^([0-9a-f]{16}:[1-9][0-9]*( [0-9a-\#
        f]{16}:[1-9][0-9]*)*)?$","description":"A set of revisions, named by its maximal dots, sorted and joined by single s\#
        paces; usually one dot. Empty: nothing was seen. A client may give dots in any order and with repeats.","examples":[\#
        "9f86d081884c7d65:7"]},"Cursor":{"type":"string","description":"A place in a store's commit order. Opaque.","example\#
        s":["42.9f86d081884c7d65"]},"ConflictId":{"type":"string","pattern":"^[0-9a-f]{32}$","examples":["0123456789abcdef01\#
        23456789abcdef"]},"ReplicaId":{"type":"string","pattern":"^[0-9a-f]{16}$","examples":["9f86d081884c7d65"]},"Time":{"\#
        type":"string","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$","description":"RFC 33\#
        39, UTC, milliseconds. For people only.","examples":["2026-11-20T23:29:57.123Z"]},"NoteName":{"type":"string","minLe\#
        ngth":1,"description":"Path-like, such as work/inbox: 1 to 255 bytes a part, no empty part, no . or .. part, no cont\#
        rol character, 1,024 bytes in all.","examples":["work/inbox"]},"Op":{"type":"string","minLength":1,"description":"A \#
        name for this write, unique for the user, of at most 64 bytes. Sent again under it, the write is not repeated.","exa\#
        mples":["7f3a"]},"Label":{"type":"string","description":"At most 1,024 bytes.","examples":["laptop/vim"]},"PositionE\#
        ncoding":{"type":"string","enum":["utf-8","utf-16","utf-32"],"description":"What offsets count: code units of UTF-8 \#
        or UTF-16, or Unicode scalars."},"Edit":{"type":"object","properties":{"start":{"type":"integer"},"end":{"type":"int\#
        eger"},"text":{"type":"string"}},"required":["start","end","text"],"description":"A range of a text, replaced. Offse\#
        ts are those of the text before any edit of the list, in the session's encoding; edits are sorted and do not overlap\#
        .","examples":[{"start":0,"end":0,"text":"a"}]},"Filter":{"type":"object","properties":{"ids":{"type":"array","items\#
        ":{"$ref":"#/components/schemas/NoteId"}},"prefix":{"type":"string"},"tag":{"type":"string"},"conflicted":{"type":"b\#
        oolean"},"deleted":{"type":"boolean","description":"Only tombstones; without it none."}},"required":[],"additionalPr\#
        operties":false,"description":"All members must hold.","examples":[{"prefix":"work/"}]},"Client":{"type":"object","p\#
        roperties":{"name":{"$ref":"#/components/schemas/Label"},"version":{"$ref":"#/components/schemas/Label"}},"required"\#
        :["name"],"examples":[{"name":"notesctl","version":"0.1.0"}]},"User":{"type":"object","properties":{"uid":{"type":"i\#
        nteger","minimum":0},"name":{"type":"string"}},"required":["uid","name"]},"Author":{"type":"object","properties":{"u\#
        ser":{"type":"string"},"label":{"oneOf":[{"type":"string"},{"type":"null"}]}},"required":["user","label"]},"Limits":\#
        {"type":"object","properties":{"maxLineBytes":{"type":"integer","minimum":0,"description":"Of a line, without its LF\#
        ."},"maxNoteBytes":{"type":"integer","minimum":0},"maxInFlight":{"type":"integer","minimum":0,"description":"Request\#
        s that wait for their answers."},"maxDepth":{"type":"integer","minimum":0,"description":"Of nested arrays and object\#
        s."},"maxAnswerBytes":{"type":"integer","minimum":0,"description":"Answers that wait to be read."}},"required":["max\#
        LineBytes","maxNoteBytes","maxInFlight","maxDepth","maxAnswerBytes"]},"Conflict":{"type":"object","properties":{"id"\#
        :{"$ref":"#/components/schemas/ConflictId"},"kind":{"type":"string","enum":["text","name","deletion"]},"range":{"typ\#
        e":"object","properties":{"start":{"type":"integer","minimum":0},"end":{"type":"integer","minimum":0}},"required":["\#
        start","end"],"description":"Whole lines of the text that the note shows, in the session's encoding; all of it for a\#
         deletion, nothing at its start for a name."},"base":{"oneOf":[{"type":"string"},{"type":"null"}],"description":"Wha\#
        t all sides started from: of a text the lines, of a name the name; null for a deletion."},"sides":{"type":"array","i\#
        tems":{"$ref":"#/components/schemas/Side"}}},"required":["id","kind","range"],"description":"Where concurrent writes\#
         touched. base and sides stand where the note's text or edits stand too, and in outcomes."},"Side":{"type":"object",\#
        "properties":{"dot":{"$ref":"#/components/schemas/Dot"},"author":{"$ref":"#/components/schemas/Author"},"modified":{\#
        "$ref":"#/components/schemas/Time"},"text":{"type":"string","description":"What it has in the range's place; the who\#
        le text where the other side deleted the note."},"name":{"oneOf":[{"$ref":"#/components/schemas/NoteName"},{"type":"\#
        null"}]},"deleted":{"type":"boolean","description":"true; the side that deleted the note."}},"required":["dot","auth\#
        or","modified"],"description":"One of those who disagree in a conflict, at its newest revision. It has one of text, \#
        name and deleted."},"Note":{"type":"object","properties":{"id":{"$ref":"#/components/schemas/NoteId"},"name":{"oneOf\#
        ":[{"$ref":"#/components/schemas/NoteName"},{"type":"null"}]},"version":{"$ref":"#/components/schemas/Version"},"sib\#
        lings":{"type":"array","items":{"$ref":"#/components/schemas/Dot"}},"vector":{"type":"object","additionalProperties"\#
        :{"type":"integer"}},"conflicts":{"type":"array","items":{"$ref":"#/components/schemas/Conflict"}},"title":{"type":"\#
        string"},"tags":{"type":"array","items":{"type":"string"}},"created":{"$ref":"#/components/schemas/Time"},"modified"\#
        :{"$ref":"#/components/schemas/Time"},"author":{"$ref":"#/components/schemas/Author"},"bytes":{"type":"integer","min\#
        imum":0},"deleted":{"type":"boolean"},"text":{"type":"string"},"base":{"$ref":"#/components/schemas/Version"},"edits\#
        ":{"type":"array","items":{"$ref":"#/components/schemas/Edit"}}},"required":["id","name","version","conflicts","titl\#
        e","tags","created","modified","author","bytes","deleted"],"description":"siblings and vector stand in note.get only\#
        , text or edits where they were asked for, base beside edits in watch lines."},"NoteLeft":{"type":"object","properti\#
        es":{"id":{"$ref":"#/components/schemas/NoteId"},"version":{"$ref":"#/components/schemas/Version"}},"required":["id"\#
        ,"version"],"description":"Of a note that is no longer in the filter."},"Shown":{"type":"object","properties":{"vers\#
        ion":{"$ref":"#/components/schemas/Version"},"edits":{"type":"array","items":{"$ref":"#/components/schemas/Edit"}},"\#
        conflicts":{"type":"array","items":{"$ref":"#/components/schemas/Conflict"}},"text":{"type":"string"}},"required":["\#
        version","conflicts"],"description":"What the note shows where that is not what was sent. edits turn the sent text i\#
        nto the shown one; version is the base to use once the client shows it."},"Outcome":{"type":"object","properties":{"\#
        outcome":{"type":"string","enum":["saved","merged","conflicted","unchanged"]},"dot":{"$ref":"#/components/schemas/Do\#
        t"},"version":{"$ref":"#/components/schemas/Version"},"note":{"$ref":"#/components/schemas/Shown"},"replayed":{"type\#
        ":"boolean"}},"required":["outcome","version"],"description":"dot is absent where the note is unchanged; replayed st\#
        ands where the op had been sent before."},"Revision":{"type":"object","properties":{"dot":{"$ref":"#/components/sche\#
        mas/Dot"},"parents":{"type":"array","items":{"$ref":"#/components/schemas/Dot"}},"version":{"$ref":"#/components/sch\#
        emas/Version"},"author":{"$ref":"#/components/schemas/Author"},"modified":{"$ref":"#/components/schemas/Time"},"byte\#
        s":{"type":"integer","minimum":0},"deleted":{"type":"boolean"},"name":{"oneOf":[{"$ref":"#/components/schemas/NoteNa\#
        me"},{"type":"null"}]},"how":{"type":"string","enum":["saved","edited"]},"thinned":{"type":"boolean","description":"\#
        Whether its text was thinned out; absent where it is there."}},"required":["dot","parents","version","author","modif\#
        ied","bytes","deleted","name","how"]},"Finding":{"type":"object","properties":{"note":{"oneOf":[{"$ref":"#/component\#
        s/schemas/NoteId"},{"type":"null"}]},"dot":{"oneOf":[{"$ref":"#/components/schemas/Dot"},{"type":"null"}]},"what":{"\#
        type":"string","description":"For people."}},"required":["note","dot","what"],"description":"Something that an audit\#
         found. note and dot are null where it is about neither."},"Waiting":{"type":"object","properties":{"note":{"$ref":"\#
        #/components/schemas/NoteId"},"revisions":{"type":"integer","minimum":0,"description":"How many wait."},"parents":{"\#
        type":"array","items":{"$ref":"#/components/schemas/Dot"},"description":"What has to come first; at most 100 are nam\#
        ed."}},"required":["note","revisions","parents"],"description":"Revisions of other replicas that wait for their pare\#
        nts in one note."},"Dependent":{"type":"object","properties":{"dependent":{"type":"integer","minimum":0},"client":{"\#
        $ref":"#/components/schemas/Client"},"label":{"oneOf":[{"$ref":"#/components/schemas/Label"},{"type":"null"}]},"user\#
        ":{"$ref":"#/components/schemas/User"},"watches":{"type":"integer","minimum":0,"description":"How many it has."},"st\#
        anding":{"type":"string","enum":["synced","lagging","reset"]},"outboxBytes":{"type":"integer","minimum":0},"presence\#
        ":{"type":"null"}},"required":["dependent","client","label","user","watches","standing","outboxBytes","presence"]}},\#
        "errors":{"parse_error":{"code":-32700,"message":"The line is not JSON as this protocol reads it.","data":{"kind":"p\#
        arse_error","retryable":false,"details":["offset"]}},"invalid_request":{"code":-32600,"message":"The line is no JSON\#
        -RPC request, or one that cannot stand here.","data":{"kind":"invalid_request","retryable":false,"details":["path"]}\#
        },"method_not_found":{"code":-32601,"message":"There is no such method.","data":{"kind":"method_not_found","retryabl\#
        e":false,"details":[]}},"invalid_params":{"code":-32602,"message":"A param is missing, not known, or of a wrong type\#
         or form.","data":{"kind":"invalid_params","retryable":false,"details":["path"]}},"internal":{"code":-32603,"message\#
        ":"The daemon failed through a fault of its own.","data":{"kind":"internal","retryable":false,"details":[]}},"hello_\#
        required":{"code":1001,"message":"session.hello comes first.","data":{"kind":"hello_required","retryable":false,"det\#
        ails":[]}},"unsupported_protocol":{"code":1002,"message":"No version of the protocol is spoken by both.","data":{"ki\#
        nd":"unsupported_protocol","retryable":false,"details":["supported"]}},"note_not_found":{"code":2001,"message":"Ther\#
        e is no such note.","data":{"kind":"note_not_found","retryable":false,"details":[]}},"note_exists":{"code":2002,"mes\#
        sage":"The id or the name is taken.","data":{"kind":"note_exists","retryable":false,"details":["id"]}},"unknown_base\#
        ":{"code":2003,"message":"The base names a revision that is not this note's, or not known.","data":{"kind":"unknown_\#
        base","retryable":"where the revision is another replica's and may still arrive","details":["known"]}},"revision_gon\#
        e":{"code":2004,"message":"The text of that version was thinned out.","data":{"kind":"revision_gone","retryable":fal\#
        se,"details":["version"]}},"base_required":{"code":2005,"message":"An existing note is written on a base.","data":{"\#
        kind":"base_required","retryable":false,"details":["version"]}},"invalid_edit":{"code":2006,"message":"An edit canno\#
        t be made in the base's text.","data":{"kind":"invalid_edit","retryable":false,"details":["index"]}},"invalid_name":\#
        {"code":2007,"message":"That is no name for a note.","data":{"kind":"invalid_name","retryable":false,"details":[]}},\#
        "storage_full":{"code":3001,"message":"There is no room for it on the disk.","data":{"kind":"storage_full","retryabl\#
        e":true,"details":[]}},"storage_failed":{"code":3002,"message":"The store failed at it.","data":{"kind":"storage_fai\#
        led","retryable":true,"details":[]}},"read_only":{"code":3003,"message":"The store cannot be written.","data":{"kind\#
        ":"read_only","retryable":false,"details":[]}},"line_too_long":{"code":4001,"message":"The line was skipped; the thi\#
        rd one closes the connection.","data":{"kind":"line_too_long","retryable":false,"details":["limit"]}},"note_too_larg\#
        e":{"code":4002,"message":"The note would be larger than notes may be.","data":{"kind":"note_too_large","retryable":\#
        false,"details":["bytes","limit"]}},"overloaded":{"code":4003,"message":"More is asked than can be done at once.","d\#
        ata":{"kind":"overloaded","retryable":true,"details":[]}},"permission_denied":{"code":6001,"message":"The user may n\#
        ot do that.","data":{"kind":"permission_denied","retryable":false,"details":[]}},"shutting_down":{"code":7001,"messa\#
        ge":"The daemon is stopping.","data":{"kind":"shutting_down","retryable":true,"details":[]}}}}}
        """#
}
