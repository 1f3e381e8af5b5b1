-- Format 2: people come and go.
ALTER TABLE resident ADD COLUMN came INTEGER NOT NULL DEFAULT 0;
ALTER TABLE resident ADD COLUMN role TEXT;
ALTER TABLE resident ADD COLUMN "left" INTEGER;
