-- Format 2: people come and go; calls to models get a table of their own, and tasks refer to them.
ALTER TABLE resident ADD COLUMN came INTEGER NOT NULL DEFAULT 0;
ALTER TABLE resident ADD COLUMN role TEXT;
ALTER TABLE resident ADD COLUMN "left" INTEGER;

CREATE TABLE call (
  id INTEGER PRIMARY KEY,
  tick INTEGER NOT NULL,
  -- No reference: a call outlives its tick, and its resident may not have come to town (again) yet.
  resident INTEGER,
  seq INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  kind TEXT NOT NULL,
  model TEXT NOT NULL,
  hash TEXT NOT NULL,
  request TEXT NOT NULL,
  reply TEXT,
  answered_by TEXT,
  cut_off INTEGER NOT NULL CHECK (cut_off IN (0, 1)),
  error TEXT,
  tokens_in INTEGER NOT NULL,
  tokens_cached INTEGER NOT NULL,
  tokens_out INTEGER NOT NULL,
  ms INTEGER,
  settled INTEGER NOT NULL CHECK (settled IN (0, 1)),
  inherited INTEGER NOT NULL CHECK (inherited IN (0, 1)),
  CHECK ((reply IS NULL) <> (error IS NULL))
) STRICT;

CREATE UNIQUE INDEX call_key ON call (tick, ifnull(resident, -1), seq, attempt, hash);

CREATE INDEX call_hash ON call (hash);

CREATE TABLE task_call (
  tick INTEGER NOT NULL,
  resident INTEGER REFERENCES resident,
  seq INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  call INTEGER NOT NULL REFERENCES call
) STRICT;

CREATE UNIQUE INDEX task_call_key ON task_call (tick, ifnull(resident, -1), seq, attempt);

CREATE INDEX task_call_call ON task_call (call);

INSERT INTO call (tick, resident, seq, attempt, kind, model, hash, request, reply, cut_off,
                  tokens_in, tokens_cached, tokens_out, ms, settled, inherited)
SELECT tick, resident, seq, 0, kind, mind, '', ifnull(prompt, ''), reply, 0, tokens_in, 0, tokens_out, ms,
       settled, 0
FROM task WHERE reply IS NOT NULL ORDER BY tick, ifnull(resident, -1), seq;

INSERT INTO task_call
SELECT tick, resident, seq, 0, id FROM call WHERE settled = 1;

DELETE FROM task WHERE settled = 0;

ALTER TABLE task DROP COLUMN prompt;
ALTER TABLE task DROP COLUMN reply;
ALTER TABLE task DROP COLUMN tokens_in;
ALTER TABLE task DROP COLUMN tokens_out;
ALTER TABLE task DROP COLUMN ms;
ALTER TABLE task DROP COLUMN settled;
ALTER TABLE task ADD COLUMN cut TEXT;
