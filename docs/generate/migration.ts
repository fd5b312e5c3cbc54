/** Writes the tables of docs/guides/migrating.md from the very pairs that the tests of the client's migration functions prove. */
import { readFileSync } from 'node:fs';
import { contract } from '../../contract/index.ts';
import { type Output, publish } from './output.ts';

interface Pair {
  readonly chat: string;
  readonly responses: string;
}
interface Left {
  readonly field: string;
  readonly remedy: string;
}

const page = '../guides/migrating.md';
const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
/** The tests read the same files, and fail where a pair does not hold. */
const proven = (name: string): unknown => JSON.parse(read(`../../test/fixtures/migration/${name}.json`));

/** The first row is the head. Columns are padded, so that the page reads well as text. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>((widest, row) => row.map((text, column) => Math.max(text.length, widest[column] ?? 3)), []);
  const line = (row: readonly string[]) => `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}

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

const blocks: Readonly<Record<string, () => string>> = { pairs: writePairs, left: writeLeft };

/** Puts each table between its marks; everything around them is written by hand. */
function withTables(text: string): string {
  return Object.entries(blocks).reduce((before, [name, write]) => {
    const [open, close] = [`<!-- ${name}: made by docs/generate/migration.ts; do not edit -->`, `<!-- end of ${name} -->`];
    const from = before.indexOf(open);
    const to = before.indexOf(close);
    if (from < 0 || to < from) throw new Error(`${page} has no place for '${name}' between its marks.`);
    return `${before.slice(0, from + open.length)}\n\n${write()}\n\n${before.slice(to)}`;
  }, text);
}

/** The page as it is checked in. */
export function migrationOutput(): Output {
  return { path: page, text: withTables(read(page)) };
}

if (import.meta.main) publish(migrationOutput());
