-- Format 3: one resident's questions, over all of a run, are found without the others'.
CREATE INDEX task_of ON task (resident, tick, kind);
