/** Before all stories: the runs they look at, made by the program in a folder that is deleted at the end. */
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { townsfolk } from './townsfolk.ts';

const REPOSITORY = join(import.meta.dirname, '../../..');

/** Makes the runs and gives the function that deletes them. */
export default function make(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'townsfolk-stories-'));
  process.env['TOWNSFOLK_STORIES'] = folder;
  // The neighbours' houses with other people in them.
  const odd = join(folder, 'odd_names');
  cpSync(join(REPOSITORY, 'examples/two_neighbours'), odd, { recursive: true });
  for (const file of readdirSync(join(odd, 'residents'))) rmSync(join(odd, 'residents', file));
  cpSync(join(import.meta.dirname, '../odd_names'), odd, { recursive: true });
  townsfolk(folder, 'run', odd, '--until', '2024-09-02 16:00', '--quiet', '--out', 'odd.run');
  townsfolk(folder, 'run', join(REPOSITORY, 'examples/two_neighbours'), '--until', '2024-09-02 12:00', '--quiet', '--out', 'neighbours.run');
  townsfolk(folder, 'run', '--until', '2024-06-03 13:00', '--quiet', '--out', 'day.run');
  return () => rmSync(folder, { recursive: true, force: true });
}
