/** The contract is compared with the SDK, Open Responses and Codex: each difference is listed, and a new one is found. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { faultsOf, readPage, readSources } from '../programs/freshness/run.ts';

const openai = join(import.meta.dirname, '../../node_modules/openai');

test('each difference from the sources of this repository is listed in docs/sdk-coverage.md, and each row still matches one', () => {
  expect(faultsOf(readPage(), readSources(), true)).toEqual([]);
});

test('a field, a value and a kind of event that a newer SDK adds are found', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'modelgate-sdk-'));
  try {
    await cp(openai, folder, { recursive: true, filter: (path) => !/node_modules.openai.(src|helpers|bin)\b|\.m?js(\.map)?$/.test(path) });
    const file = join(folder, 'resources/responses/responses.d.ts');
    const types = await readFile(file, 'utf8');
    const newer = types
      .replace('export interface ResponseCreateParamsBase {', 'export interface ResponseCreateParamsBase {\n    brand_new?: string | null;')
      .replace(/(export interface Response \{)/, '$1\n    answered_by?: string;')
      .replace(
        'export type ResponseStreamEvent =',
        "export type ResponseStreamEvent = { type: 'response.brand_new'; sequence_number: number } |",
      )
      .replace(/summary\?: 'auto' \|/, "summary?: 'brief' | 'auto' |");
    expect(newer).not.toBe(types);
    await writeFile(file, newer);
    const faults = faultsOf(readPage(), readSources({ openai: folder }), false);
    expect(faults.map((fault) => fault.replace(/^\S+ \S+ \S+ /, ''))).toEqual(
      expect.arrayContaining([
        'ResponseCreateParamsBase.brand_new is not listed',
        'Response.answered_by is not listed',
        "ResponseStreamEvent <type='response.brand_new'> is not listed",
      ]),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a row without a fate, and one that matches nothing, are mistakes', () => {
  const page = readPage();
  expect(() => faultsOf(`${page}\n| \`A.b\` | later | Some day. |\n`, [], true)).toThrow("'A.b' needs a fate");
  expect(faultsOf(`${page}\n| \`Nobody.nothing\` | forwarded | The bytes pass. |\n`, readSources(), true)).toEqual([
    'Nobody.nothing matches nothing any more',
  ]);
});
