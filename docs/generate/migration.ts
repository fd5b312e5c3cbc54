/** Writes the tables of docs/guides/migrating.md from the pairs that the client's migration tests check. */
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
/** The migration tests read the same files, and fail if a pair is wrong. */
const proven = (name: string): unknown => JSON.parse(read(`../../test/fixtures/migration/${name}.json`));

function writePairs(): string {
  const { createChatCompletion, createResponse } = contract;
  const addresses = [createChatCompletion, createResponse].map(({ method, path }) => `\`${method} ${path}\``);
  // `as`: the migration tests check the shape of the file.
  const pairs = proven('pairs') as readonly Pair[];
  return table([['Chat', 'Responses'], addresses, ...pairs.map(({ chat, responses }) => [chat, responses])]);
}

function writeLeft(): string {
  // `as`: the migration tests check the shape of the file.
  const left = proven('left') as readonly Left[];
  return table([['Field of the chat request', 'What to do'], ...left.map(({ field, remedy }) => [`\`${field}\``, remedy])]);
}

export const migrationOutput = (): Output =>
  withBlocks('../guides/migrating.md', 'migration.ts', { pairs: writePairs(), left: writeLeft() });

if (import.meta.main) publish(migrationOutput());
