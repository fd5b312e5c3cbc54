/** Every action that the gateway writes to the audit log has a sentence in the console. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sentences } from '../../../../client/pages/src/texts/audit.ts';

it('explains each action that the server writes in a sentence, and no other', () => {
  const server = join(import.meta.dirname, '../../../../server');
  const sources = globSync('**/*.ts', { cwd: server }).map((file) => readFileSync(join(server, file), 'utf8'));
  const written = sources.flatMap((source) => [...source.matchAll(/action: '(\w+\.\w+)'/g)].map(([, action]) => action));
  expect([...new Set(written)].toSorted()).toEqual(Object.keys(sentences).toSorted());
});
