/** Writes the tables of docs/guides/migrating.md from the very pairs that the tests of the client's migration functions prove. */
import { readFileSync } from 'node:fs';
import { contract } from '../../contract/index.ts';
import { type Output, publish, withBlocks } from './output.ts';
import { table } from './table.ts';

interface Pair {
  readonly chat: string;
  readonly responses: string;
}
interface Left {
  readonly field: string;
  readonly remedy: string;
}

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
/** The tests read the same files, and fail where a pair does not hold. */
const proven = (name: string): unknown => JSON.parse(read(`../../test/fixtures/migration/${name}.json`));

function writePairs(): string {
  const { createChatCompletion, createResponse } = contract;
  const addresses = [createChatCompletion, createResponse].map(({ method, path }) => `\`${method} ${path}\``);
  // The shape of the file is checked by the tests that prove it.
  const pairs = proven('pairs') as readonly Pair[];
  return table([['Chat', 'Responses'], addresses, ...pairs.map(({ chat, responses }) => [chat, responses])]);
}

function writeLeft(): string {
  // As above.
  const left = proven('left') as readonly Left[];
  return table([['Field of the chat request', 'What to do'], ...left.map(({ field, remedy }) => [`\`${field}\``, remedy])]);
}

/** The page as it is checked in. */
export const migrationOutput = (): Output =>
  withBlocks('../guides/migrating.md', 'migration.ts', { pairs: writePairs(), left: writeLeft() });

if (import.meta.main) publish(migrationOutput());
