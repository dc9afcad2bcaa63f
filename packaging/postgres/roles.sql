-- A role for each machine or user of a space, with limits that keep one of them from stopping the others.
-- An administrator of the database runs this with: psql -d notes -f roles.sql
-- Afterwards, `notesd-postgres member add URL SPACE ROLE` lets each role use a space.

-- The rights of a member come from `member add` only. This role holds the limits.
CREATE ROLE dora LOGIN PASSWORD NULL CONNECTION LIMIT 4;
-- Then set a password in psql, where it gets into no file: \password dora

-- A gateway waits at most this long for a statement and for the lock of a space; after that it connects anew.
ALTER ROLE dora SET statement_timeout = '60s';
ALTER ROLE dora SET lock_timeout = '30s';
-- A gateway leaves no transaction open; this ends those of a person who uses the role in psql.
ALTER ROLE dora SET idle_in_transaction_session_timeout = '1min';

-- A role that backs the notes up and reads all texts and files.
CREATE ROLE notes_backup LOGIN CONNECTION LIMIT 2;
GRANT USAGE ON SCHEMA notes TO notes_backup;
GRANT SELECT ON ALL TABLES IN SCHEMA notes TO notes_backup;
GRANT SELECT ON ALL SEQUENCES IN SCHEMA notes TO notes_backup;

-- A role that monitors, and reads numbers but no text.
CREATE ROLE notes_monitor LOGIN CONNECTION LIMIT 2;
GRANT pg_monitor TO notes_monitor;
GRANT USAGE ON SCHEMA notes TO notes_monitor;
GRANT SELECT ON notes.space, notes.member, notes.range, notes.file TO notes_monitor;
GRANT SELECT (space, position, replica, counter) ON notes.revision TO notes_monitor;
