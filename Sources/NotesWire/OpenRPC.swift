/// The contract for programs: `docs/openrpc.json`, as `rpc.discover` answers it.
///
/// Written by `scripts/embed-openrpc`; change the document and run that.
package enum OpenRPC {
    package static let document = Array(text.utf8)

    private static let text = #"""
        {"openrpc":"1.3.2","info":{"title":"notesd","version":"1","description":"Plain-text notes that many editors write at\#
         once, over a Unix socket, with one JSON-RPC 2.0 object per line. docs/protocol.md specifies what this document cann\#
        ot express.","license":{"name":"Apache-2.0"}},"methods":[{"name":"session.hello","summary":"Registers the connection\#
         as a dependent. The first request, sent once.","paramStructure":"by-name","params":[{"name":"protocol","required":t\#
        rue,"schema":{"type":"array","items":{"type":"integer"},"examples":[[1]]},"description":"The protocol versions that \#
        the client speaks."},{"name":"client","required":true,"schema":{"$ref":"#/components/schemas/Client"}},{"name":"labe\#
        l","required":false,"schema":{"$ref":"#/components/schemas/Label"}},{"name":"positionEncoding","required":false,"sch\#
        ema":{"type":"array","items":{"type":"string"},"examples":[["utf-8","utf-16"]]},"description":"In order of preferenc\#
        e. Unknown values are skipped; if none is known, utf-8 is used."}],"result":{"name":"session","schema":{"type":"obje\#
        ct","properties":{"protocol":{"type":"integer"},"server":{"$ref":"#/components/schemas/Client"},"store":{"$ref":"#/c\#
        omponents/schemas/ReplicaId"},"replica":{"$ref":"#/components/schemas/ReplicaId"},"dependent":{"type":"integer","min\#
        imum":0},"user":{"$ref":"#/components/schemas/User"},"access":{"type":"string","enum":["read","write","admin"]},"pos\#
        itionEncoding":{"$ref":"#/components/schemas/PositionEncoding"},"limits":{"$ref":"#/components/schemas/Limits"},"cap\#
        abilities":{"type":"array","items":{"type":"string"}},"cursor":{"$ref":"#/components/schemas/Cursor"}},"required":["\#
        protocol","server","store","replica","dependent","user","access","positionEncoding","limits","capabilities","cursor"\#
        ]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/c\#
        omponents/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal\#
        "},{"$ref":"#/components/errors/unsupported_protocol"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/c\#
        omponents/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"}]},{"name":"session.ping","summary":"Retur\#
        ns an empty object. Allowed before hello.","paramStructure":"by-name","params":[],"result":{"name":"nothing","schema\#
        ":{"type":"object","properties":{},"required":[]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/c\#
        omponents/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_t\#
        oo_long"},{"$ref":"#/components/errors/internal"}]},{"name":"rpc.discover","summary":"Returns this document. Allowed\#
         before hello.","paramStructure":"by-name","params":[],"result":{"name":"document","schema":{"type":"object"}},"erro\#
        rs":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components\#
        /errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"}]},{"na\#
        me":"note.create","summary":"Creates a note.","paramStructure":"by-name","params":[{"name":"text","required":true,"s\#
        chema":{"type":"string","examples":["Hello\n"]}},{"name":"name","required":false,"schema":{"oneOf":[{"$ref":"#/compo\#
        nents/schemas/NoteName"},{"type":"null"}],"examples":["work/inbox"]}},{"name":"id","required":false,"schema":{"$ref"\#
        :"#/components/schemas/NoteId"},"description":"Chosen by the client, so that a retry cannot create a second note."},\#
        {"name":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}}],"result":{"name":"created","schema":{"ty\#
        pe":"object","properties":{"note":{"$ref":"#/components/schemas/Note"},"dot":{"$ref":"#/components/schemas/Dot"},"ve\#
        rsion":{"$ref":"#/components/schemas/Version"},"replayed":{"type":"boolean"}},"required":["note"]}},"errors":[{"$ref\#
        ":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/inv\#
        alid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/compon\#
        ents/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},\#
        {"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components\#
        /errors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/note_too_large"},{"$ref\#
        ":"#/components/errors/note_exists"},{"$ref":"#/components/errors/invalid_name"}]},{"name":"note.get","summary":"Ret\#
        urns a note, now or at a version, whole or as edits from a version.","paramStructure":"by-name","params":[{"name":"i\#
        d","required":false,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"name","required":false,"schema":{"$ref\#
        ":"#/components/schemas/NoteName"}},{"name":"at","required":false,"schema":{"$ref":"#/components/schemas/Version"}},\#
        {"name":"from","required":false,"schema":{"$ref":"#/components/schemas/Version"}}],"result":{"name":"shown","schema"\#
        :{"type":"object","properties":{"note":{"$ref":"#/components/schemas/Note"}},"required":["note"]}},"errors":[{"$ref"\#
        :"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/inva\#
        lid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/compone\#
        nts/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{\#
        "$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/\#
        errors/note_not_found"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"}],"x\#
        -exactly-one":["id","name"]},{"name":"note.list","summary":"Lists notes, sorted by name (bytes, null last), then id.\#
        ","paramStructure":"by-name","params":[{"name":"filter","required":false,"schema":{"$ref":"#/components/schemas/Filt\#
        er"}},{"name":"limit","required":false,"schema":{"type":"integer","minimum":1,"maximum":1000,"default":100,"examples\#
        ":[50]}},{"name":"after","required":false,"schema":{"type":"string","examples":["01890a5d-ac96-774b-bcce-b302099a805\#
        7/work/inbox"]},"description":"The next of the previous page."}],"result":{"name":"page","schema":{"type":"object","\#
        properties":{"notes":{"type":"array","items":{"$ref":"#/components/schemas/Note"}},"next":{"oneOf":[{"type":"string"\#
        },{"type":"null"}]}},"required":["notes","next"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/c\#
        omponents/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_t\#
        oo_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/component\#
        s/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$\#
        ref":"#/components/errors/permission_denied"}]},{"name":"note.search","summary":"Searches notes by their contents, b\#
        est first.","paramStructure":"by-name","params":[{"name":"query","required":true,"schema":{"$ref":"#/components/sche\#
        mas/SearchQuery"},"description":"Words that a note must all contain; docs/protocol.md describes the whole syntax."},\#
        {"name":"limit","required":false,"schema":{"type":"integer","minimum":1,"maximum":100,"default":20,"examples":[50]}}\#
        ,{"name":"after","required":false,"schema":{"type":"string","examples":["3fe5555555555555.0000000000000421"]},"descr\#
        iption":"The next of the previous page."}],"result":{"name":"page","schema":{"type":"object","properties":{"hits":{"\#
        type":"array","items":{"$ref":"#/components/schemas/Hit"}},"next":{"oneOf":[{"type":"string"},{"type":"null"}]},"tru\#
        ncated":{"type":"boolean","description":"Whether more than 10,000 notes matched. Only the newest 10,000 of them are \#
        ranked and found."}},"required":["hits","next","truncated"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{\#
        "$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/er\#
        rors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"\#
        #/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_f\#
        ailed"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"note\#
        .save","summary":"Writes a whole text, a name, or both, on a base.","paramStructure":"by-name","params":[{"name":"id\#
        ","required":true,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"base","required":true,"schema":{"$ref":"\#
        #/components/schemas/Version"},"description":"The version that the writer was shown. Without it: base_required.","x-\#
        missing":"base_required"},{"name":"text","required":false,"schema":{"type":"string","examples":["Hello\n"]}},{"name"\#
        :"name","required":false,"schema":{"oneOf":[{"$ref":"#/components/schemas/NoteName"},{"type":"null"}],"examples":["w\#
        ork/done"]},"description":"null clears the name."},{"name":"resolves","required":false,"schema":{"type":"array","ite\#
        ms":{"$ref":"#/components/schemas/ConflictId"},"examples":[["0123456789abcdef0123456789abcdef"]]},"description":"Ids\#
         of conflicts that are open at the base."},{"name":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}\#
        }],"result":{"name":"outcome","schema":{"$ref":"#/components/schemas/Outcome"}},"errors":[{"$ref":"#/components/erro\#
        rs/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref\#
        ":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_re\#
        quired"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/component\#
        s/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/storage_full\#
        "},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/note_too_large"},{"$ref":"#/components/erro\#
        rs/note_not_found"},{"$ref":"#/components/errors/note_exists"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"\#
        #/components/errors/revision_gone"},{"$ref":"#/components/errors/base_required"},{"$ref":"#/components/errors/invali\#
        d_name"}],"x-at-least-one":["text","name","resolves"]},{"name":"note.edit","summary":"Writes edits to the text of a \#
        base.","paramStructure":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/components/schemas/Note\#
        Id"}},{"name":"base","required":true,"schema":{"$ref":"#/components/schemas/Version"},"description":"The version tha\#
        t the writer was shown. Without it: base_required.","x-missing":"base_required"},{"name":"edits","required":true,"sc\#
        hema":{"type":"array","items":{"$ref":"#/components/schemas/Edit"},"examples":[[{"start":0,"end":0,"text":"a"}]]}},{\#
        "name":"resolves","required":false,"schema":{"type":"array","items":{"$ref":"#/components/schemas/ConflictId"},"exam\#
        ples":[["0123456789abcdef0123456789abcdef"]]},"description":"Ids of conflicts that are open at the base."},{"name":"\#
        op","required":false,"schema":{"$ref":"#/components/schemas/Op"}}],"result":{"name":"outcome","schema":{"$ref":"#/co\#
        mponents/schemas/Outcome"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invali\#
        d_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/co\#
        mponents/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{\#
        "$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/erro\#
        rs/permission_denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":\#
        "#/components/errors/note_too_large"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#/components/errors/unk\#
        nown_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/base_required"},{"$ref":"#/com\#
        ponents/errors/invalid_edit"}]},{"name":"note.delete","summary":"Marks a note as deleted. Its text can still be read\#
         at its versions.","paramStructure":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/components/\#
        schemas/NoteId"}},{"name":"base","required":true,"schema":{"$ref":"#/components/schemas/Version"},"description":"The\#
         version that the writer was shown. Without it: base_required.","x-missing":"base_required"},{"name":"op","required"\#
        :false,"schema":{"$ref":"#/components/schemas/Op"}}],"result":{"name":"outcome","schema":{"$ref":"#/components/schem\#
        as/Outcome"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"\#
        $ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/error\#
        s/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/comp\#
        onents/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_\#
        denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/\#
        errors/note_not_found"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{"$\#
        ref":"#/components/errors/base_required"}]},{"name":"note.history","summary":"Lists the revisions of a note, newest \#
        first.","paramStructure":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/components/schemas/Not\#
        eId"}},{"name":"limit","required":false,"schema":{"type":"integer","minimum":1,"maximum":1000,"default":100,"example\#
        s":[50]}},{"name":"before","required":false,"schema":{"$ref":"#/components/schemas/Dot"},"description":"The next of \#
        the previous page."}],"result":{"name":"page","schema":{"type":"object","properties":{"revisions":{"type":"array","i\#
        tems":{"$ref":"#/components/schemas/Revision"}},"next":{"oneOf":[{"$ref":"#/components/schemas/Dot"},{"type":"null"}\#
        ]}},"required":["revisions","next"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/err\#
        ors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$\#
        ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/over\#
        loaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/compo\#
        nents/errors/permission_denied"},{"$ref":"#/components/errors/note_not_found"}]},{"name":"notes.watch","summary":"Se\#
        nds a notification for each change to the notes that match a filter, from now on or from a cursor.","paramStructure"\#
        :"by-name","params":[{"name":"filter","required":false,"schema":{"$ref":"#/components/schemas/Filter"}},{"name":"inc\#
        lude","required":false,"schema":{"type":"string","enum":["meta","text","edits"],"default":"meta","examples":["text"]\#
        }},{"name":"since","required":false,"schema":{"$ref":"#/components/schemas/Cursor"}},{"name":"snapshot","required":f\#
        alse,"schema":{"type":"boolean","default":true,"examples":[false]}},{"name":"echo","required":false,"schema":{"type"\#
        :"boolean","default":true,"examples":[false]}}],"result":{"name":"watch","schema":{"type":"object","properties":{"wa\#
        tch":{"type":"integer","minimum":0},"cursor":{"$ref":"#/components/schemas/Cursor"},"reset":{"type":"boolean"}},"req\#
        uired":["watch","cursor","reset"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/error\#
        s/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$re\#
        f":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overlo\#
        aded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/compone\#
        nts/errors/permission_denied"}]},{"name":"notes.unwatch","summary":"Ends a watch.","paramStructure":"by-name","param\#
        s":[{"name":"watch","required":true,"schema":{"type":"integer","minimum":1,"examples":[1]}}],"result":{"name":"nothi\#
        ng","schema":{"type":"object","properties":{},"required":[]}},"errors":[{"$ref":"#/components/errors/parse_error"},{\#
        "$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/er\#
        rors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"\#
        #/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"}]},{"name":"presence.set","summary":"Pu\#
        blishes which note the user has open on this connection. May be sent without id; it then gets no response.","paramSt\#
        ructure":"by-name","params":[{"name":"note","required":true,"schema":{"oneOf":[{"$ref":"#/components/schemas/NoteId"\#
        },{"type":"null"}],"examples":["01890a5d-ac96-774b-bcce-b302099a8057"]},"description":"null publishes that no note i\#
        s open, and excludes version and selection."},{"name":"version","required":false,"schema":{"$ref":"#/components/sche\#
        mas/Version"},"description":"The version that the user sees."},{"name":"selection","required":false,"schema":{"oneOf\#
        ":[{"$ref":"#/components/schemas/Selection"},{"type":"null"}],"examples":[{"start":0,"end":0}]},"description":"Offse\#
        ts in the text of version. null means no selection.","x-needs":"version"}],"result":{"name":"nothing","schema":{"typ\#
        e":"object","properties":{},"required":[]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/componen\#
        ts/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long\#
        "},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/error\#
        s/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#\#
        /components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/storage_\#
        failed"}]},{"name":"dependents.list","summary":"Lists the connected clients.","paramStructure":"by-name","params":[]\#
        ,"result":{"name":"dependents","schema":{"type":"object","properties":{"dependents":{"type":"array","items":{"$ref":\#
        "#/components/schemas/Dependent"}}},"required":["dependents"]}},"errors":[{"$ref":"#/components/errors/parse_error"}\#
        ,{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/\#
        errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref"\#
        :"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"}]},{"name":"daemon.status","summary":\#
        "Returns what the daemon holds and its state.","paramStructure":"by-name","params":[],"result":{"name":"status","sch\#
        ema":{"type":"object","properties":{"version":{"type":"string"},"store":{"$ref":"#/components/schemas/ReplicaId"},"r\#
        eplica":{"$ref":"#/components/schemas/ReplicaId"},"startedAt":{"$ref":"#/components/schemas/Time"},"notes":{"type":"\#
        integer","minimum":0},"tombstones":{"type":"integer","minimum":0},"revisions":{"type":"integer","minimum":0},"confli\#
        cted":{"type":"integer","minimum":0,"description":"Notes with open conflicts."},"dependents":{"type":"integer","mini\#
        mum":0},"commits":{"type":"integer","minimum":0},"lastCommitAt":{"oneOf":[{"$ref":"#/components/schemas/Time"},{"typ\#
        e":"null"}]},"storeBytes":{"type":"integer","minimum":0},"walBytes":{"type":"integer","minimum":0},"state":{"type":"\#
        string","enum":["ok","full","read_only"]}},"required":["version","store","replica","startedAt","notes","tombstones",\#
        "revisions","conflicted","dependents","commits","lastCommitAt","storeBytes","walBytes","state"]}},"errors":[{"$ref":\#
        "#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/inval\#
        id_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/componen\#
        ts/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"\#
        $ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"daemon.audit\#
        ","summary":"Reads the whole store again and compares it with what the daemon shows. May take a while and send progr\#
        ess.","paramStructure":"by-name","params":[],"result":{"name":"audit","schema":{"type":"object","properties":{"ok":{\#
        "type":"boolean","description":"Whether there are no findings."},"notes":{"type":"integer","minimum":0},"revisions":\#
        {"type":"integer","minimum":0},"findings":{"type":"array","items":{"$ref":"#/components/schemas/Finding"}},"waiting"\#
        :{"type":"array","items":{"$ref":"#/components/schemas/Waiting"},"description":"Revisions that arrived before their \#
        parents, by note. Not a fault."},"compacted":{"type":"integer","minimum":0,"description":"The number of revisions wh\#
        ose texts were removed by compaction."}},"required":["ok","notes","revisions","findings"]}},"errors":[{"$ref":"#/com\#
        ponents/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_par\#
        ams"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/err\#
        ors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":\#
        "#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"daemon.config","su\#
        mmary":"Returns the settings in effect and the source of each. Needs admin, and \"config\" in capabilities.","paramS\#
        tructure":"by-name","params":[],"result":{"name":"config","schema":{"type":"object","properties":{"settings":{"type"\#
        :"array","items":{"$ref":"#/components/schemas/Setting"}}},"required":["settings"]}},"errors":[{"$ref":"#/components\#
        /errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{\#
        "$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hel\#
        lo_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/comp\#
        onents/errors/permission_denied"}]},{"name":"daemon.backup","summary":"Copies the store into a file while others are\#
         served. The file contains everything that was answered before the request; when the response arrives, it is whole a\#
        nd on disk. May take a while and send progress, in bytes.","paramStructure":"by-name","params":[{"name":"path","requ\#
        ired":false,"schema":{"type":"string","examples":["/mnt/usb/notes.db"]},"description":"An absolute path on the daemo\#
        n's machine where no file exists; or a directory there, in which the file is named after the time; or a name without\#
         a slash, in the daemon's directory for backups. Without it: a name after the time, in that directory. Only the daem\#
        on's user and root may give more than a name; others get 6001."}],"result":{"name":"backup","schema":{"type":"object\#
        ","properties":{"path":{"type":"string","description":"The absolute path of the file."},"bytes":{"type":"integer","m\#
        inimum":0}},"required":["path","bytes"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components\#
        /errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"}\#
        ,{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/\#
        overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/com\#
        ponents/errors/storage_failed"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/permission_den\#
        ied"}]},{"name":"daemon.metrics","summary":"Returns the daemon's counters since its start, and the size of its store\#
        .","paramStructure":"by-name","params":[],"result":{"name":"metrics","schema":{"type":"object","properties":{"text":\#
        {"type":"string","description":"A complete OpenMetrics 1.0 text."}},"required":["text"]}},"errors":[{"$ref":"#/compo\#
        nents/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_param\#
        s"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/error\#
        s/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#\#
        /components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]}],"x-notifications":[{"name":"\#
        note.changed","summary":"Reports a change to a note. change is the first word that applies.","params":{"type":"objec\#
        t","properties":{"watch":{"type":"integer","minimum":0},"seq":{"type":"integer","minimum":0,"description":"Rises by \#
        exactly 1 from 1 within a watch."},"cursor":{"$ref":"#/components/schemas/Cursor"},"change":{"type":"string","enum":\#
        ["snapshot","left","deleted","created","restored","conflicted","resolved","edited"]},"note":{"oneOf":[{"$ref":"#/com\#
        ponents/schemas/Note"},{"$ref":"#/components/schemas/NoteLeft"}]},"coalesced":{"type":"integer","minimum":2,"descrip\#
        tion":"The number of changes that the line stands for. Absent if it is 1."},"origin":{"type":"object","properties":{\#
        "dependent":{"type":"integer","minimum":0},"label":{"oneOf":[{"$ref":"#/components/schemas/Label"},{"type":"null"}]}\#
        },"required":["dependent","label"],"description":"The connection that made the newest change. Absent if it is no lon\#
        ger known."}},"required":["watch","seq","cursor","change","note"]}},{"name":"watch.synced","summary":"The watch has \#
        sent its snapshot, or what the client missed.","params":{"type":"object","properties":{"watch":{"type":"integer","mi\#
        nimum":0},"seq":{"type":"integer","minimum":0},"cursor":{"$ref":"#/components/schemas/Cursor"}},"required":["watch",\#
        "seq","cursor"]}},{"name":"watch.bookmark","summary":"Sent after every 30 seconds in which a watch has nothing to se\#
        nd.","params":{"type":"object","properties":{"watch":{"type":"integer","minimum":0},"seq":{"type":"integer","minimum\#
        ":0},"cursor":{"$ref":"#/components/schemas/Cursor"}},"required":["watch","seq","cursor"]}},{"name":"watch.reset","s\#
        ummary":"Lines were dropped. What changed since the last delivered cursor follows.","params":{"type":"object","prope\#
        rties":{"watch":{"type":"integer","minimum":0},"seq":{"type":"integer","minimum":0},"reason":{"type":"string"}},"req\#
        uired":["watch","seq","reason"]}},{"name":"session.closing","summary":"The last line before the daemon closes the co\#
        nnection.","params":{"type":"object","properties":{"reason":{"type":"string"},"retryAfterMs":{"oneOf":[{"type":"inte\#
        ger","minimum":0},{"type":"null"}]}},"required":["reason","retryAfterMs"]}},{"name":"progress","summary":"The progre\#
        ss of a long request. Sent any number of times before its response.","params":{"type":"object","properties":{"id":{"\#
        oneOf":[{"type":"integer"},{"type":"string"}],"description":"The id of the request."},"done":{"type":"integer","mini\#
        mum":0},"total":{"type":"integer","minimum":0}},"required":["id","done","total"]}},{"name":"presence.changed","summa\#
        ry":"Reports which note a dependent has open, to each connection with a watch that covers the note.","params":{"type\#
        ":"object","properties":{"note":{"$ref":"#/components/schemas/NoteId"},"dependent":{"type":"integer","minimum":0},"l\#
        abel":{"oneOf":[{"$ref":"#/components/schemas/Label"},{"type":"null"}]},"user":{"$ref":"#/components/schemas/User"},\#
        "version":{"oneOf":[{"$ref":"#/components/schemas/Version"},{"type":"null"}],"description":"The version that the use\#
        r sees there; empty if it was not given; null if the dependent left the note."},"selection":{"oneOf":[{"$ref":"#/com\#
        ponents/schemas/Selection"},{"type":"null"}]}},"required":["note","dependent","label","user","version","selection"]}\#
        }],"components":{"schemas":{"NoteId":{"type":"string","pattern":"^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f\#
        ]{3}-[0-9a-f]{12}$","description":"A UUID of version 7 in lower case.","examples":["01890a5d-ac96-774b-bcce-b302099a\#
        8057"]},"Dot":{"type":"string","pattern":"^[0-9a-f]{16}:[1-9][0-9]*$","description":"The globally unique name of one\#
         revision: the replica that made it, and a counter.","examples":["9f86d081884c7d65:7"]},"Version":{"type":"string","\#
        pattern":"^([0-9a-f]{16}:[1-9][0-9]*( [0-9a-f]{16}:[1-9][0-9]*)*)?$","description":"A set of revisions, written as i\#
        ts maximal dots, sorted and joined by single spaces; usually one dot. The empty string means that nothing was seen. \#
        A client may send dots in any order and repeat them.","examples":["9f86d081884c7d65:7"]},"Cursor":{"type":"string","\#
        description":"A place in a store's commit order. Opaque to clients.","examples":["42.9f86d081884c7d65"]},"ConflictId\#
        ":{"type":"string","pattern":"^[0-9a-f]{32}$","examples":["0123456789abcdef0123456789abcdef"]},"ReplicaId":{"type":"\#
        string","pattern":"^[0-9a-f]{16}$","examples":["9f86d081884c7d65"]},"Time":{"type":"string","pattern":"^[0-9]{4}-[0-\#
        9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$","description":"RFC 3339 in UTC, with milliseconds. For peopl\#
        e only.","examples":["2026-11-20T23:29:57.123Z"]},"NoteName":{"type":"string","minLength":1,"description":"A path su\#
        ch as work/inbox: parts of 1 to 255 bytes between single slashes, none of them . or .., no control characters, at mo\#
        st 1,024 bytes in all.","examples":["work/inbox"]},"Op":{"type":"string","minLength":1,"description":"A name for thi\#
        s write, of at most 64 bytes, different for each write of the user. A write that is sent again under its op is not m\#
        ade again.","examples":["7f3a"]},"Label":{"type":"string","description":"At most 1,024 bytes.","examples":["laptop/v\#
        im"]},"PositionEncoding":{"type":"string","enum":["utf-8","utf-16","utf-32"],"description":"The unit of offsets: cod\#
        e units of UTF-8 or UTF-16, or Unicode scalars."},"Edit":{"type":"object","properties":{"start":{"type":"integer"},"\#
        end":{"type":"integer"},"text":{"type":"string"}},"required":["start","end","text"],"description":"Replaces a range \#
        of a text. Offsets count in the text before any edit of the list, in the session's encoding. Edits are sorted and do\#
         not overlap.","examples":[{"start":0,"end":0,"text":"a"}]},"Filter":{"type":"object","properties":{"ids":{"type":"a\#
        rray","items":{"$ref":"#/components/schemas/NoteId"}},"prefix":{"type":"string"},"tag":{"type":"string"},"conflicted\#
        ":{"type":"boolean"},"deleted":{"type":"boolean","description":"true: only tombstones; otherwise none."}},"required"\#
        :[],"additionalProperties":false,"description":"A note must match all members.","examples":[{"prefix":"work/"}]},"Cl\#
        ient":{"type":"object","properties":{"name":{"$ref":"#/components/schemas/Label"},"version":{"$ref":"#/components/sc\#
        hemas/Label"}},"required":["name"],"examples":[{"name":"notesctl","version":"0.1.0"}]},"User":{"type":"object","prop\#
        erties":{"uid":{"type":"integer","minimum":0},"name":{"type":"string"}},"required":["uid","name"]},"Author":{"type":\#
        "object","properties":{"user":{"type":"string"},"label":{"oneOf":[{"type":"string"},{"type":"null"}]}},"required":["\#
        user","label"]},"Limits":{"type":"object","properties":{"maxLineBytes":{"type":"integer","minimum":0,"description":"\#
        The length of a line, without its LF."},"maxNoteBytes":{"type":"integer","minimum":0},"maxInFlight":{"type":"integer\#
        ","minimum":0,"description":"The number of requests without a response."},"maxDepth":{"type":"integer","minimum":0,"\#
        description":"The depth of nested arrays and objects."},"maxResponseBytes":{"type":"integer","minimum":0,"descriptio\#
        n":"The size of all unread responses."}},"required":["maxLineBytes","maxNoteBytes","maxInFlight","maxDepth","maxResp\#
        onseBytes"]},"SearchQuery":{"type":"string","maxLength":4096,"examples":["milk bread"]},"Hit":{"type":"object","prop\#
        erties":{"note":{"$ref":"#/components/schemas/Note"},"snippet":{"type":"string","description":"An exact piece of the\#
         note's text, around the first match."},"ranges":{"type":"array","items":{"type":"object","properties":{"start":{"ty\#
        pe":"integer","minimum":0},"end":{"type":"integer","minimum":0}},"required":["start","end"]},"description":"The matc\#
        hes in the snippet, in the session's encoding, ascending and separate."}},"required":["note","snippet","ranges"]},"C\#
        onflict":{"type":"object","properties":{"id":{"$ref":"#/components/schemas/ConflictId"},"kind":{"type":"string","enu\#
        m":["text","name","deletion"]},"range":{"type":"object","properties":{"start":{"type":"integer","minimum":0},"end":{\#
        "type":"integer","minimum":0}},"required":["start","end"],"description":"Whole lines of the merged text, in the sess\#
        ion's encoding; all of it for a deletion, an empty range at its start for a name."},"base":{"oneOf":[{"type":"string\#
        "},{"type":"null"}],"description":"What all sides started from: the lines, the name or null, or null for a deletion.\#
        "},"sides":{"type":"array","items":{"$ref":"#/components/schemas/Side"}}},"required":["id","kind","range"],"descript\#
        ion":"A mark where concurrent writes touch. base and sides are present where the note has text or edits, and in outc\#
        omes."},"Side":{"type":"object","properties":{"dot":{"$ref":"#/components/schemas/Dot"},"author":{"$ref":"#/componen\#
        ts/schemas/Author"},"modified":{"$ref":"#/components/schemas/Time"},"text":{"type":"string","description":"The text \#
        of this side in place of the range; its whole text if another side deleted the note."},"name":{"oneOf":[{"$ref":"#/c\#
        omponents/schemas/NoteName"},{"type":"null"}]},"deleted":{"type":"boolean","description":"true: this side deleted th\#
        e note."}},"required":["dot","author","modified"],"description":"One side of a conflict, at its newest revision. It \#
        has one of text, name and deleted."},"Note":{"type":"object","properties":{"id":{"$ref":"#/components/schemas/NoteId\#
        "},"name":{"oneOf":[{"$ref":"#/components/schemas/NoteName"},{"type":"null"}]},"version":{"$ref":"#/components/schem\#
        as/Version"},"siblings":{"type":"array","items":{"$ref":"#/components/schemas/Dot"}},"vector":{"type":"object","addi\#
        tionalProperties":{"type":"integer"}},"conflicts":{"type":"array","items":{"$ref":"#/components/schemas/Conflict"}},\#
        "title":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}},"created":{"$ref":"#/components/schemas/\#
        Time"},"modified":{"$ref":"#/components/schemas/Time"},"author":{"$ref":"#/components/schemas/Author"},"bytes":{"typ\#
        e":"integer","minimum":0},"deleted":{"type":"boolean"},"text":{"type":"string"},"base":{"$ref":"#/components/schemas\#
        /Version"},"edits":{"type":"array","items":{"$ref":"#/components/schemas/Edit"}}},"required":["id","name","version",\#
        "conflicts","title","tags","created","modified","author","bytes","deleted"],"description":"siblings and vector are p\#
        resent only in note.get; text or edits where they were asked for; base with edits in watch lines."},"NoteLeft":{"typ\#
        e":"object","properties":{"id":{"$ref":"#/components/schemas/NoteId"},"version":{"$ref":"#/components/schemas/Versio\#
        n"}},"required":["id","version"],"description":"A note that no longer matches the filter."},"MergedText":{"type":"ob\#
        ject","properties":{"version":{"$ref":"#/components/schemas/Version"},"edits":{"type":"array","items":{"$ref":"#/com\#
        ponents/schemas/Edit"}},"conflicts":{"type":"array","items":{"$ref":"#/components/schemas/Conflict"}},"text":{"type"\#
        :"string"}},"required":["version","conflicts"],"description":"The merged text, if it differs from the text sent or t\#
        he write is in conflict. edits turn the text sent into the merged text; version is the base to use once the client s\#
        hows the merged text."},"Outcome":{"type":"object","properties":{"outcome":{"type":"string","enum":["saved","merged"\#
        ,"conflicted","unchanged"]},"dot":{"$ref":"#/components/schemas/Dot"},"version":{"$ref":"#/components/schemas/Versio\#
        n"},"note":{"$ref":"#/components/schemas/MergedText"},"replayed":{"type":"boolean"}},"required":["outcome","version"\#
        ],"description":"dot is absent if the outcome is unchanged. replayed is present if the op was sent before."},"Revisi\#
        on":{"type":"object","properties":{"dot":{"$ref":"#/components/schemas/Dot"},"parents":{"type":"array","items":{"$re\#
        f":"#/components/schemas/Dot"}},"version":{"$ref":"#/components/schemas/Version"},"author":{"$ref":"#/components/sch\#
        emas/Author"},"modified":{"$ref":"#/components/schemas/Time"},"bytes":{"type":"integer","minimum":0},"deleted":{"typ\#
        e":"boolean"},"name":{"oneOf":[{"$ref":"#/components/schemas/NoteName"},{"type":"null"}]},"kind":{"type":"string","e\#
        num":["saved","edited"]},"compacted":{"type":"boolean","description":"true if the text was removed by compaction; ot\#
        herwise absent."}},"required":["dot","parents","version","author","modified","bytes","deleted","name","kind"]},"Sett\#
        ing":{"type":"object","properties":{"key":{"type":"string","examples":["limits.depth_max"]},"value":{"oneOf":[{"type\#
        ":"string"},{"type":"null"}],"description":"As in the configuration file; null if the setting is unset and the daemo\#
        n chooses."},"source":{"type":"string","description":"A file, \"environment NAME\", \"option NAME\", \"service manag\#
        er\" or \"default\"."},"reloadable":{"type":"boolean","description":"Whether a running daemon can apply a change."},\#
        "pending":{"oneOf":[{"type":"string"},{"type":"null"}],"description":"The value that the next start will use, if it \#
        differs."}},"required":["key","value","source","reloadable","pending"]},"Finding":{"type":"object","properties":{"no\#
        te":{"oneOf":[{"$ref":"#/components/schemas/NoteId"},{"type":"null"}]},"dot":{"oneOf":[{"$ref":"#/components/schemas\#
        /Dot"},{"type":"null"}]},"message":{"type":"string","description":"A sentence for people."}},"required":["note","dot\#
        ","message"],"description":"Something that an audit found. note and dot are null where it concerns none."},"Waiting"\#
        :{"type":"object","properties":{"note":{"$ref":"#/components/schemas/NoteId"},"revisions":{"type":"integer","minimum\#
        ":0,"description":"The number of waiting revisions."},"parents":{"type":"array","items":{"$ref":"#/components/schema\#
        s/Dot"},"description":"The missing parents, at most 100 of them."}},"required":["note","revisions","parents"],"descr\#
        iption":"Revisions of one note from other replicas that wait for their parents."},"Selection":{"type":"object","prop\#
        erties":{"start":{"type":"integer","minimum":0},"end":{"type":"integer","minimum":0}},"required":["start","end"],"de\#
        scription":"Offsets in the session's encoding. A text cursor starts where it ends."},"Presence":{"type":"object","pr\#
        operties":{"note":{"$ref":"#/components/schemas/NoteId"},"version":{"$ref":"#/components/schemas/Version"},"selectio\#
        n":{"oneOf":[{"$ref":"#/components/schemas/Selection"},{"type":"null"}]}},"required":["note","version","selection"]}\#
        ,"Dependent":{"type":"object","properties":{"dependent":{"type":"integer","minimum":0},"client":{"$ref":"#/component\#
        s/schemas/Client"},"label":{"oneOf":[{"$ref":"#/components/schemas/Label"},{"type":"null"}]},"user":{"$ref":"#/compo\#
        nents/schemas/User"},"watches":{"type":"integer","minimum":0,"description":"The number of its watches."},"state":{"t\#
        ype":"string","enum":["synced","lagging","reset"]},"outboxBytes":{"type":"integer","minimum":0},"presence":{"oneOf":\#
        [{"$ref":"#/components/schemas/Presence"},{"type":"null"}],"description":"The note that the user has open on this co\#
        nnection."}},"required":["dependent","client","label","user","watches","state","outboxBytes","presence"]}},"errors":\#
        {"parse_error":{"code":-32700,"message":"The line is not valid JSON for this protocol.","data":{"kind":"parse_error"\#
        ,"retryable":false,"details":["offset"]}},"invalid_request":{"code":-32600,"message":"The line is not a JSON-RPC req\#
        uest, or not allowed at this point.","data":{"kind":"invalid_request","retryable":false,"details":["path"]}},"method\#
        _not_found":{"code":-32601,"message":"There is no such method.","data":{"kind":"method_not_found","retryable":false,\#
        "details":[]}},"invalid_params":{"code":-32602,"message":"A param is missing, unknown, or of the wrong type or form.\#
        ","data":{"kind":"invalid_params","retryable":false,"details":["path","offset"]}},"internal":{"code":-32603,"message\#
        ":"The daemon failed because of a bug.","data":{"kind":"internal","retryable":false,"details":[]}},"hello_required":\#
        {"code":1001,"message":"Send session.hello first.","data":{"kind":"hello_required","retryable":false,"details":[]}},\#
        "unsupported_protocol":{"code":1002,"message":"The client and the daemon have no protocol version in common.","data"\#
        :{"kind":"unsupported_protocol","retryable":false,"details":["supported"]}},"note_not_found":{"code":2001,"message":\#
        "There is no such note.","data":{"kind":"note_not_found","retryable":false,"details":[]}},"note_exists":{"code":2002\#
        ,"message":"The id or the name is taken.","data":{"kind":"note_exists","retryable":false,"details":["id"]}},"unknown\#
        _base":{"code":2003,"message":"The base names a revision that is unknown or not this note's.","data":{"kind":"unknow\#
        n_base","retryable":"true if the revision belongs to another replica and may still arrive","details":["known"]}},"re\#
        vision_gone":{"code":2004,"message":"The text of that version was removed by compaction.","data":{"kind":"revision_g\#
        one","retryable":false,"details":["version"]}},"base_required":{"code":2005,"message":"A write to an existing note n\#
        eeds a base.","data":{"kind":"base_required","retryable":false,"details":["version"]}},"invalid_edit":{"code":2006,"\#
        message":"An edit does not fit the text of the base.","data":{"kind":"invalid_edit","retryable":false,"details":["in\#
        dex"]}},"invalid_name":{"code":2007,"message":"This is not a valid name for a note.","data":{"kind":"invalid_name","\#
        retryable":false,"details":[]}},"storage_full":{"code":3001,"message":"The disk is full.","data":{"kind":"storage_fu\#
        ll","retryable":true,"details":[]}},"storage_failed":{"code":3002,"message":"The store failed to read or write.","da\#
        ta":{"kind":"storage_failed","retryable":true,"details":[]}},"read_only":{"code":3003,"message":"The store is read-o\#
        nly.","data":{"kind":"read_only","retryable":false,"details":[]}},"line_too_long":{"code":4001,"message":"The line i\#
        s too long and was skipped. The third such line closes the connection.","data":{"kind":"line_too_long","retryable":f\#
        alse,"details":["limit"]}},"note_too_large":{"code":4002,"message":"The note would be too large.","data":{"kind":"no\#
        te_too_large","retryable":false,"details":["bytes","limit"]}},"overloaded":{"code":4003,"message":"The daemon is ove\#
        rloaded.","data":{"kind":"overloaded","retryable":true,"details":[]}},"permission_denied":{"code":6001,"message":"Th\#
        e user does not have the access that this needs.","data":{"kind":"permission_denied","retryable":false,"details":[]}\#
        },"shutting_down":{"code":7001,"message":"The daemon is stopping.","data":{"kind":"shutting_down","retryable":true,"\#
        details":[]}}}}}
        """#
}
