/** Mutants that no test notices, each with the reason why none has to; the list is in accepted.json. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutants.ts';

export type Accepted = Pick<Mutant, 'file' | 'text' | 'change'> & { readonly reason: string };

/** The changes of a file that are accepted for one reason: each by its line of the source and what it changes there. */
interface Group {
  readonly file: string;
  readonly reason: string;
  readonly changes: readonly (readonly [text: string, change: string])[];
}

/** Files whose other mutants are listed and accepted for now, each with what is missing. */
export const open: Readonly<Record<string, string>> = {
  'server/limits/redis/connection.ts': 'A connection that breaks takes a test seconds: quicker tests of outages are missing.',
  'server/limits/redis/redis-limits.ts': 'An outage of Redis takes a test seconds: quicker tests of outages are missing.',
};

// Written by hand in this shape.
const groups = JSON.parse(readFileSync(join(import.meta.dirname, 'accepted.json'), 'utf8')) as readonly Group[];

export const accepted: readonly Accepted[] = groups.flatMap(({ file, reason, changes }) =>
  changes.map(([text, change]) => ({ file, text, change, reason })),
);
