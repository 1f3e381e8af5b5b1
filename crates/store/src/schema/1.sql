-- Format 1.
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE town (
  part TEXT PRIMARY KEY,
  data TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE resident (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  identity TEXT NOT NULL
) STRICT;

CREATE TABLE identity (
  resident INTEGER NOT NULL REFERENCES resident,
  tick INTEGER NOT NULL,
  identity TEXT NOT NULL,
  PRIMARY KEY (resident, tick)
) STRICT, WITHOUT ROWID;

CREATE TABLE place (
  id INTEGER PRIMARY KEY,
  parent INTEGER REFERENCES place,
  kind TEXT NOT NULL CHECK (kind IN ('world', 'sector', 'arena', 'object')),
  name TEXT NOT NULL,
  address TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE move (
  resident INTEGER NOT NULL REFERENCES resident,
  tick INTEGER NOT NULL,
  x INTEGER NOT NULL,
  y INTEGER NOT NULL,
  PRIMARY KEY (resident, tick)
) STRICT, WITHOUT ROWID;

CREATE TABLE action (
  resident INTEGER NOT NULL REFERENCES resident,
  tick INTEGER NOT NULL,
  activity TEXT NOT NULL,
  place INTEGER REFERENCES place,
  emoji TEXT NOT NULL,
  subject TEXT NOT NULL,
  predicate TEXT NOT NULL,
  object TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('walking', 'doing', 'talking', 'waiting', 'asleep')),
  ends INTEGER,
  PRIMARY KEY (resident, tick)
) STRICT, WITHOUT ROWID;

CREATE TABLE object_state (
  place INTEGER NOT NULL REFERENCES place,
  tick INTEGER NOT NULL,
  state TEXT NOT NULL,
  by INTEGER REFERENCES resident,
  PRIMARY KEY (place, tick)
) STRICT, WITHOUT ROWID;

CREATE TABLE text (
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE,
  vector BLOB NOT NULL
) STRICT;

CREATE TABLE memory (
  resident INTEGER NOT NULL REFERENCES resident,
  id INTEGER NOT NULL,
  tick INTEGER NOT NULL,
  created INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('observation', 'reflection', 'plan', 'conversation')),
  depth INTEGER NOT NULL,
  text INTEGER NOT NULL REFERENCES text,
  subject TEXT NOT NULL,
  predicate TEXT NOT NULL,
  object TEXT NOT NULL,
  importance INTEGER NOT NULL CHECK (importance BETWEEN 1 AND 10),
  expires INTEGER,
  keywords TEXT NOT NULL,
  teller INTEGER REFERENCES resident,
  told_memory INTEGER,
  conversation INTEGER,
  place INTEGER REFERENCES place,
  PRIMARY KEY (resident, id),
  CHECK ((teller IS NULL) = (told_memory IS NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE evidence (
  resident INTEGER NOT NULL,
  memory INTEGER NOT NULL,
  position INTEGER NOT NULL,
  evidence INTEGER NOT NULL CHECK (evidence < memory),
  PRIMARY KEY (resident, memory, position),
  FOREIGN KEY (resident, memory) REFERENCES memory
) STRICT, WITHOUT ROWID;

CREATE TABLE plan (
  id INTEGER PRIMARY KEY,
  resident INTEGER NOT NULL REFERENCES resident,
  date TEXT NOT NULL,
  revision INTEGER NOT NULL,
  tick INTEGER NOT NULL,
  cause_memory INTEGER,
  strokes TEXT NOT NULL,
  UNIQUE (resident, date, revision)
) STRICT;

CREATE TABLE plan_entry (
  plan INTEGER NOT NULL REFERENCES plan,
  level TEXT NOT NULL CHECK (level IN ('hour', 'task')),
  start INTEGER NOT NULL CHECK (start BETWEEN 0 AND 1439),
  minutes INTEGER NOT NULL CHECK (minutes > 0),
  tick INTEGER NOT NULL,
  activity TEXT NOT NULL,
  place INTEGER REFERENCES place,
  cause_memory INTEGER,
  PRIMARY KEY (plan, level, start)
) STRICT, WITHOUT ROWID;

CREATE TABLE conversation (
  id INTEGER PRIMARY KEY,
  tick INTEGER NOT NULL,
  a INTEGER NOT NULL REFERENCES resident,
  b INTEGER NOT NULL REFERENCES resident,
  place INTEGER REFERENCES place,
  ended INTEGER,
  end_reason TEXT
) STRICT;

CREATE TABLE line (
  conversation INTEGER NOT NULL REFERENCES conversation,
  turn INTEGER NOT NULL,
  tick INTEGER NOT NULL,
  speaker INTEGER NOT NULL REFERENCES resident,
  text TEXT NOT NULL,
  tells TEXT NOT NULL,
  decision TEXT NOT NULL,
  PRIMARY KEY (conversation, turn)
) STRICT, WITHOUT ROWID;

CREATE TABLE appointment (
  resident INTEGER NOT NULL REFERENCES resident,
  id INTEGER NOT NULL,
  tick INTEGER NOT NULL,
  what TEXT NOT NULL,
  place INTEGER REFERENCES place,
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  host INTEGER NOT NULL REFERENCES resident,
  status TEXT NOT NULL,
  reason TEXT NOT NULL,
  memory INTEGER,
  PRIMARY KEY (resident, id, tick)
) STRICT, WITHOUT ROWID;

CREATE TABLE task (
  tick INTEGER NOT NULL,
  resident INTEGER REFERENCES resident,
  seq INTEGER NOT NULL,
  kind TEXT NOT NULL,
  input TEXT NOT NULL,
  answer TEXT,
  mind TEXT NOT NULL,
  prompt TEXT,
  reply TEXT,
  tokens_in INTEGER NOT NULL,
  tokens_out INTEGER NOT NULL,
  ms INTEGER,
  fallback TEXT,
  settled INTEGER NOT NULL CHECK (settled IN (0, 1))
) STRICT;

CREATE UNIQUE INDEX task_key ON task (tick, ifnull(resident, -1), seq);

CREATE TABLE input (
  seq INTEGER PRIMARY KEY,
  tick INTEGER NOT NULL,
  kind TEXT NOT NULL,
  json TEXT NOT NULL
) STRICT;

CREATE TABLE notice (
  seq INTEGER PRIMARY KEY,
  tick INTEGER NOT NULL,
  resident INTEGER REFERENCES resident,
  kind TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;

CREATE TABLE checkpoint (
  tick INTEGER PRIMARY KEY,
  state BLOB NOT NULL
) STRICT;
