-- Queries for monitoring. The role notes_monitor of roles.sql may run all of them.

-- Machines that are connected, by role. A role without a row has no machine that is in step.
SELECT usename, count(*) AS gateways, min(backend_start) AS since
FROM pg_stat_activity WHERE application_name = 'notesd-postgres' GROUP BY usename ORDER BY usename;

-- Revisions of each space, and how many of them are in no range. Members who write fold at 10,000.
SELECT s.name, coalesce(n.position, 0) AS revisions, coalesce(n.position, 0) - s.folded AS unfolded
FROM notes.space s LEFT JOIN LATERAL (
    SELECT r.position FROM notes.revision r WHERE r.space = s.id ORDER BY r.position DESC LIMIT 1) n ON true
ORDER BY s.name;

-- Bytes of all spaces on disk, with indexes.
SELECT pg_size_pretty(pg_total_relation_size('notes.revision')) AS revisions,
    pg_size_pretty(pg_total_relation_size('notes.range')) AS ranges;

-- Files of each space: those that are there and their bytes, and those that no machine has sent yet.
SELECT s.name, count(*) FILTER (WHERE f.whole) AS files, pg_size_pretty(coalesce(sum(f.bytes) FILTER (WHERE f.whole), 0)) AS size,
    count(*) FILTER (WHERE NOT f.whole) AS missing
FROM notes.space s LEFT JOIN notes.file f ON f.space = s.id GROUP BY s.name ORDER BY s.name;

-- Transactions that stop a space: whom they block, and since when.
SELECT a.pid, a.usename, a.state, a.xact_start, b.pid AS blocks, a.query
FROM pg_stat_activity b CROSS JOIN LATERAL unnest(pg_blocking_pids(b.pid)) AS p(pid) JOIN pg_stat_activity a ON a.pid = p.pid
WHERE b.application_name = 'notesd-postgres';

-- The part of the queue of NOTIFY that is in use. At 1, each append fails. A listener with an open transaction fills it.
SELECT pg_notification_queue_usage() AS queue;

-- The oldest transaction, which keeps vacuum from its work.
SELECT pid, usename, state, age(backend_xmin) AS transactions, xact_start
FROM pg_stat_activity WHERE backend_xmin IS NOT NULL ORDER BY age(backend_xmin) DESC LIMIT 1;
