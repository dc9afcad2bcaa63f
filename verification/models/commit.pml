/*
 * A batch: read the waiting requests, apply, append, sync, adopt, answer, notify. With crashes, cut
 * connections, full disks and failing syncs.
 *
 * README.md maps each part to its file and function. A macro FAULT_x plants a fault;
 * `scripts/models` checks that each is found.
 *
 * Client A writes and watches on one connection, B writes and reads after its write without waiting
 * for the response, C reads. A commit is an operation's name in `log`; commits are numbered from 1.
 */

#ifndef WRITES
#define WRITES 1  /* of A and of B, each */
#endif
#ifndef READS
#define READS 1   /* of C */
#endif
#ifndef CRASHES
#define CRASHES 1
#endif
#ifndef LOSSES
#define LOSSES 1  /* connections cut */
#endif
#ifndef FULLS
#define FULLS 0   /* appends that find no room */
#endif
#ifndef BADSYNCS
#define BADSYNCS 0
#endif

#define A 0
#define B 1
#define C 2
#define CLIENTS 3
#define LINES 2           /* notifications that fit into the socket of A */
#define OPS (2 * WRITES)
#define COMMITS (OPS + 2)
#define WAITING 6
#define bit(x) (1 << (x))

mtype = { WRITE, READ, OK, FAILED, VALUE, LINE };

/* The log file. `written`: commits that the kernel has. `synced`: commits on the disk. `dirty`:
 * whether the kernel knows that it has more than the disk. */
byte log[COMMITS];
byte written, synced;
bool dirty;

/* The daemon's memory. */
bool alive;
byte visible;
byte watchAt;           /* the last commit sent to A's watch */
byte lines;             /* notifications to A in transit */
bool hungry;            /* A may have pending notifications */
chan mailbox = [WAITING] of { mtype, byte, bit, byte };
chan deferred = [WAITING] of { mtype, byte, bit, byte };

/* Connections, numbered, so that two connections of one client differ. */
bool up[CLIENTS];
bit epoch[CLIENTS];
byte sent[CLIENTS];     /* its request without a response */
chan out[CLIENTS] = [LINES + 1] of { mtype, byte };

/* The failures so far, and the clients' knowledge. */
byte crashes, losses, fulls, badSyncs;
bool crash;
byte acked;             /* operations answered OK, ever */
byte refused;           /* operations answered FAILED and abandoned */
byte seen;              /* A's cursor */
bool doneA, doneB;
bool doneC = (READS == 0);

/* Each is true while its guarantee holds. */
bool G1_answered_is_durable = true;
bool G3_told_is_durable = true;
bool G3_read_is_durable = true;
bool G3_own_write_is_read = true;
bool G3_reads_do_not_go_back = true;
bool G4_in_order_and_once = true;
bool G4_answer_before_line = true;
bool G10_refused_is_nowhere = true;
bool G10_op_is_done_once = true;

#ifdef FAULT_OP_RECORDED_APART
byte recorded;          /* operations whose record is on the disk */
#endif

hidden byte i, j, k, mc, me, mo, count;
hidden mtype mm;
#ifdef LIVE
hidden byte tick;
#endif

/* The number of times an operation is among the first commits, in `count`. */
inline countIn(op, first) {
    count = 0; j = 0;
    do
    :: j < first -> count = count + (log[j] == op); j++
    :: else -> break
    od;
    j = 0
}

/* No acknowledged operation is missing or duplicated, and no refused one exists. The next start
 * finds what the kernel has. */
inline judgeLog() {
    i = 1;
    do
    :: i <= OPS ->
        countIn(i, written);
        G10_op_is_done_once = (count <= 1); assert(G10_op_is_done_once);
        G10_refused_is_nowhere = !(count > 0 && (refused & bit(i))); assert(G10_refused_is_nowhere);
        G1_answered_is_durable = !(count == 0 && (acked & bit(i))); assert(G1_answered_is_durable);
        i++
    :: else -> break
    od;
    i = 0; count = 0
}

inline cut(c) {
    do
    :: len(out[c]) > 0 -> out[c]?_,_
    :: else -> break
    od;
    up[c] = false; epoch[c] = 1 - epoch[c]; sent[c] = 0
}

/* The process is gone, and its memory with it. */
inline die() {
    alive = false; visible = 0; watchAt = 0; lines = 0; hungry = false;
    do :: len(mailbox) > 0 -> mailbox?_,_,_,_ :: else -> break od;
    do :: len(deferred) > 0 -> deferred?_,_,_,_ :: else -> break od;
    i = 0;
    do
    :: i < CLIENTS ->
        up[i] = false; sent[i] = 0; epoch[i] = 0;
        do :: len(out[i]) > 0 -> out[i]?_,_ :: else -> break od;
        i++
    :: else -> break
    od;
    i = 0
}

/* The turn: requests in the order in which they are answered. */
typedef Place {
    mtype kind;
    byte client;
    bit epoch;
    byte value;   /* READ: the response. WRITE: the operation, and later the commit, or 0 if it failed. */
};
Place place[WAITING];
byte places;
byte writing, blocked, operations;

#define connection(c, e) bit((c) * 2 + (e))

inline hold() {
    blocked = blocked | connection(mc, me);
    deferred!mm, mc, me, mo
}

inline put(v) {
    place[places].kind = mm; place[places].client = mc; place[places].epoch = me; place[places].value = v;
    places++
}

inline takeOne() {
    if
    :: mm == WRITE ->
        if
        :: blocked & connection(mc, me) -> hold()
#ifndef FAULT_SAME_OP_IN_ONE_ROUND
        :: !(blocked & connection(mc, me)) && (operations & bit(mo)) -> hold()
#endif
        :: else ->
            writing = writing | connection(mc, me); operations = operations | bit(mo);
            put(mo)
        fi
    :: else ->
        if
#ifdef FAULT_READ_OVERTAKES_WRITE
        :: false -> skip
#else
        :: (writing | blocked) & connection(mc, me) -> hold()
#endif
        :: else -> put(visible)
        fi
    fi
}

/* The requests of a turn, deferred ones first. */
inline take() {
    k = len(deferred);
    do
    :: k > 0 -> deferred?mm, mc, me, mo; k--; takeOne()
    :: else -> break
    od;
    do
    :: len(mailbox) > 0 -> mailbox?mm, mc, me, mo; takeOne()
    :: else -> break
    od;
    k = 0; mm = 0; mc = 0; me = 0; mo = 0;
    writing = 0; blocked = 0; operations = 0
}

/* Whether an operation is recorded: `Journal.operation`. */
inline find(op) {
#ifdef FAULT_OP_RECORDED_APART
    if
    :: recorded & bit(op) -> countIn(op, visible)
    :: else -> count = 0
    fi
#else
    countIn(op, visible)
#endif
}

/* The commit of an operation, in `count`. */
inline commitOf(op) {
    j = 0;
    do
    :: j < written && log[j] != op -> j++
    :: else -> break
    od;
    count = j + 1; j = 0
}

/* Appends the writes in `first..<end` that are not recorded, in one transaction, and sets their
 * places to their commits. */
inline append(first, end) {
    i = first;
    do
    :: i < end ->
        if
        :: place[i].kind == WRITE ->
            mo = place[i].value;
            find(mo);
            if
            :: count == 0 -> log[written] = mo; written++; dirty = true; place[i].value = written
            :: else -> commitOf(mo); place[i].value = count
            fi
        :: else -> skip
        fi;
        i++
    :: else -> break
    od;
    i = 0; mo = 0; count = 0
}

/* Whether there is anything to append, in `count`. */
inline countFresh(first, end) {
    k = 0; i = first;
    do
    :: i < end ->
        if
        :: place[i].kind == WRITE -> find(place[i].value); k = k + (count == 0)
        :: else -> skip
        fi;
        i++
    :: else -> break
    od;
    count = k; k = 0; i = 0
}

/* `Courier.deliver`: to connections that still exist. */
inline answer() {
    i = 0;
    do
    :: i < places ->
        mc = place[i].client;
        if
        :: up[mc] && epoch[mc] == place[i].epoch ->
            if
            :: place[i].kind == READ -> out[mc]!VALUE, place[i].value
            :: place[i].kind == WRITE && place[i].value == 0 -> out[mc]!FAILED, 0
            :: else -> out[mc]!OK, place[i].value
            fi
        :: else -> skip
        fi;
        i++
    :: else -> break
    od;
    i = 0; mc = 0
}

inline endTurn() {
    i = 0;
    do
    :: i < places -> place[i].kind = 0; place[i].client = 0; place[i].epoch = 0; place[i].value = 0; i++
    :: else -> break
    od;
    i = 0; places = 0
}

#ifdef FAULT_TELL_BEFORE_SYNC
#define TELLABLE written
#else
#define TELLABLE visible
#endif

inline tell() {
    hungry = false;
    if
    :: up[A] && lines < LINES && watchAt < TELLABLE -> watchAt++; lines++; out[A]!LINE, watchAt
    :: else -> skip
    fi
}

active proctype Daemon()
{
    byte at;      /* the place, when each is tried alone */
    byte fresh;
#ifdef FAULT_REFUSED_COMMIT_IS_SHOWN
    byte kept;    /* number of refused commits that stay in memory */
#endif

opening:
    atomic { crash = false; at = 0; fresh = 0;
#ifdef FAULT_REFUSED_COMMIT_IS_SHOWN
        kept = 0;
#endif
        d_step { endTurn() };
        d_step { judgeLog() } };
    {
      /* Data that the last run left in the kernel and not on the disk is made durable before it is
       * shown. */
#ifndef FAULT_OPEN_DOES_NOT_SYNC
#ifndef FAULT_OPEN_SYNCS_CLEAN_PAGES
      dirty = true;
#endif
      if
      :: dirty -> atomic { synced = written; dirty = false }
      :: else -> skip
      fi;
#endif
      atomic { visible = written; alive = true };
endIdle:
      do
      :: nempty(mailbox) || nempty(deferred) ->
        d_step { take(); countFresh(0, places); fresh = count; count = 0 };
        if
        :: fresh == 0 -> d_step { append(0, places) }
        :: fresh > 0 ->
            if
            :: d_step { append(0, places); fresh = 0 };
#ifdef FAULT_ANSWER_BEFORE_SYNC
                d_step { answer(); endTurn() };
#endif
#ifdef FAULT_TELL_BEFORE_SYNC
                d_step { tell(); skip };
#endif
                if
                :: atomic { dirty -> synced = written; dirty = false }
                :: atomic { badSyncs < BADSYNCS -> badSyncs++; dirty = false;
#ifdef FAULT_BAD_SYNC_IS_ANSWERED
                    d_step {
                        i = 0;
                        do
                        :: i < places ->
                            if
                            :: place[i].kind == WRITE && place[i].value > visible -> place[i].value = 0
                            :: else -> skip
                            fi;
                            i++
                        :: else -> break
                        od;
                        answer()
                    } }; atomic {
#endif
                    /* Nobody gets a response, and the daemon ends. */
                    d_step { die() }; goto opening }
                fi
            :: atomic { fulls < FULLS -> fulls++; at = 0; fresh = 0 };
                /* Try each write once, alone. */
                do
                :: at < places && place[at].kind == WRITE ->
                    d_step { countFresh(at, at + 1); fresh = count; count = 0 };
                    if
                    :: fresh == 0 -> d_step { append(at, at + 1) }
                    :: fresh > 0 ->
                        d_step { append(at, at + 1); fresh = 0 };
                        if
                        :: atomic { dirty -> synced = written; dirty = false; visible = written }
                        :: atomic { badSyncs < BADSYNCS -> badSyncs++; dirty = false; d_step { die() }; goto opening }
                        fi
                    :: atomic { fresh > 0 && fulls < FULLS -> fulls++; fresh = 0; place[at].value = 0
#ifdef FAULT_REFUSED_COMMIT_IS_SHOWN
                        ; kept++
#endif
                        }
                    fi;
                    at++
                :: at < places && place[at].kind != WRITE -> at++
                :: else -> at = 0; break
                od
            fi
        fi;
        skip;
#ifdef FAULT_OP_RECORDED_APART
        d_step {
            i = 0;
            do
            :: i < places ->
                if
                :: place[i].kind == WRITE && place[i].value > 0 ->
                    recorded = recorded | bit(log[place[i].value - 1])
                :: else -> skip
                fi;
                i++
            :: else -> break
            od;
            i = 0
        };
#endif
#ifdef FAULT_TELL_BEFORE_ANSWER
        visible = written;
        d_step { tell(); skip };
#endif
        d_step {
            judgeLog();
            visible = written;
#ifdef FAULT_REFUSED_COMMIT_IS_SHOWN
            visible = visible + kept;
#endif
            answer();
            hungry = hungry || (up[A] && watchAt < visible);
            endTurn()
        }
#ifdef FAULT_TELL_BLOCKS
      :: hungry -> d_step { lines < LINES -> tell(); skip }
#else
      :: d_step { hungry -> tell(); skip }
#endif
      od
    } unless { crash };
    goto opening
}

#ifdef FAULT_READ_BESIDE_COMMIT
/* A thread that reads what the kernel has. */
active proctype Thread()
{
end:
    do
    :: atomic { alive && mailbox?[READ, C, _, _] && up[C] ->
        mailbox?READ, C, _, _; out[C]!VALUE, written }
    od
}
#endif

#ifdef FAULT_SNAPSHOT_IS_KEPT
/* A thread that keeps its snapshot of the empty store. */
active proctype Thread()
{
end:
    do
    :: atomic { alive && mailbox?[READ, C, _, _] && up[C] ->
        mailbox?READ, C, _, _; out[C]!VALUE, 0 }
    od
}
#endif

inline judgeAck(op, n) {
    G1_answered_is_durable = (n <= synced && n > 0 && log[n - 1] == op);
    assert(G1_answered_is_durable);
    acked = acked | bit(op)
}

active proctype ClientA()
{
    byte n;
    byte op = 1;
    byte last;    /* the last operation sent */
    bool again;   /* whether it was sent before */
end:
    do
    :: atomic { alive && !up[A] -> up[A] = true; watchAt = seen; lines = 0; hungry = true }
    :: atomic { up[A] && sent[A] == 0 && op <= WRITES ->
        again = (last == op); last = op; sent[A] = 1;
        mailbox!WRITE, A, epoch[A], op }
    :: atomic { out[A]?OK, n -> judgeAck(op, n); sent[A] = 0; op++; n = 0; doneA = (op > WRITES) }
    :: atomic { out[A]?FAILED, _ -> sent[A] = 0;
        if
        :: refused = refused | bit(op); d_step { judgeLog() }; op++; doneA = (op > WRITES)
        :: skip /* resend */
        fi }
    :: atomic { out[A]?LINE, n -> lines--;
#ifndef FAULT_DRAINED_IS_FORGOTTEN
        hungry = true;
#endif
        G3_told_is_durable = (n <= synced); assert(G3_told_is_durable);
        G4_in_order_and_once = (n == seen + 1); assert(G4_in_order_and_once);
        G4_answer_before_line = !(sent[A] == 1 && !again && log[n - 1] == op); assert(G4_answer_before_line);
        seen = n; n = 0 }
#ifdef STOPS
    :: break /* stops reading */
#endif
    od;
#ifdef STOPS
endStopped: false
#endif
}

active proctype ClientB()
{
    byte n;
    byte op = WRITES + 1;
    byte commit;
end:
    do
    :: atomic { alive && !up[B] -> up[B] = true; commit = 0 }
    :: atomic { up[B] && sent[B] == 0 && op <= OPS ->
        commit = 0; sent[B] = 2;
        mailbox!WRITE, B, epoch[B], op; mailbox!READ, B, epoch[B], 0 }
    :: atomic { out[B]?OK, n -> judgeAck(op, n); sent[B] = 1; commit = n; n = 0; op++; doneB = (op > OPS) }
    :: atomic { out[B]?FAILED, _ -> sent[B] = 1;
        if
        :: refused = refused | bit(op); d_step { judgeLog() }; op++; doneB = (op > OPS)
        :: skip /* resend after the response to its read */
        fi }
    :: atomic { out[B]?VALUE, n ->
        G3_read_is_durable = (n <= synced); assert(G3_read_is_durable);
        G3_own_write_is_read = (n >= commit && sent[B] == 1); assert(G3_own_write_is_read);
        sent[B] = 0; n = 0; commit = 0 }
    od
}

active proctype ClientC()
{
    byte n, last, reads;
end:
    do
    :: atomic { alive && !up[C] -> up[C] = true }
    :: atomic { up[C] && sent[C] == 0 && reads < READS -> sent[C] = 1; mailbox!READ, C, epoch[C], 0 }
    :: atomic { out[C]?VALUE, n -> sent[C] = 0;
        G3_read_is_durable = (n <= synced); assert(G3_read_is_durable);
        G3_reads_do_not_go_back = (n >= last); assert(G3_reads_do_not_go_back);
        last = n; n = 0; reads++; doneC = (reads == READS) }
    od
}

/* Kills the daemon, cuts the power, or cuts a connection. It may stop doing so at any time. */
active proctype Fate()
{
    do
    :: atomic { crashes < CRASHES && !crash -> crashes++; crash = true; d_step { die() };
        if
        :: skip /* killed: the kernel keeps written data */
        :: dirty = false; /* no power: unsynced data may survive or not */
            if
            :: written = synced
            :: synced = written
            fi;
            d_step {
                i = written;
                do :: i < COMMITS -> log[i] = 0; i++ :: else -> break od;
                i = 0
            }
        fi }
    :: atomic { losses < LOSSES && up[A] -> losses++; d_step { cut(A) } }
    :: atomic { losses < LOSSES && up[B] -> losses++; d_step { cut(B) } }
    :: atomic { losses < LOSSES && up[C] -> losses++; d_step { cut(C) } }
    :: break
    od
}

#ifdef LIVE
/* Time passes when nothing else happens, so a quiescent state is a cycle, too. */
active proctype Clock()
{
    do
    :: tick = 0
    od
}
#endif

/* Every request gets a response in the end, and the watch receives everything. */
#ifndef STOPS
ltl G5 { <>[] (doneA && doneB && doneC && seen == synced && synced == written) }
#else
/* A client that stops reading delays nobody else. */
ltl G7 { <>[] (doneB && doneC) }
#endif
