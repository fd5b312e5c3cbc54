/** Which folder may import which, and what a file may hold; the table is in architecture/rules.ts. */
import { expect, test } from 'vitest';
import { protocolNamesIn, vendorNamesIn } from './architecture/protocol-names.ts';
import { foldable, violationsOf } from './architecture/rules.ts';
import { parse, readSources, type Source, topLevelFolders } from './architecture/sources.ts';

const broken = (...sources: Source[]): string[] => violationsOf(sources.map(parse));

test('the repository has five folders', () => {
  expect(
    topLevelFolders()
      .filter((name) => !['node_modules', 'data', 'dist'].includes(name))
      .sort(),
  ).toEqual(['client', 'contract', 'docs', 'server', 'test']);
});

test('every file imports only allowed folders, is in no import cycle, has no default export, and has at most 460 lines', () => {
  const sources = readSources();
  expect(sources.length).toBeGreaterThan(100);
  expect(broken(...sources)).toEqual([]);
});

test('a file that one other file imports belongs in that file; these stand apart still, and the list only shrinks', () => {
  expect(foldable(readSources().map(parse))).toEqual(apart);
});

test.each([
  ['a contract that knows the server', 'contract/chat.ts', "import { openApp } from '../../server/http/app.ts';"],
  ['a contract that needs a web server', 'contract/chat.ts', "import fastify from 'fastify';"],
  ['a client with a dependency', 'client/sdk/src/send.ts', "import { request } from 'undici';"],
  ['a client that runs on Node alone', 'client/sdk/src/send.ts', "import { readFile } from 'node:fs/promises';"],
  ['a policy room that knows another', 'server/access/authenticate.ts', "import { openUpstreams } from '../upstreams/kinds.ts';"],
  [
    'a policy room that knows another by a type',
    'server/upstreams/http-client.ts',
    "import type { Principal } from '../access/principal.ts';",
  ],
  ['a database that leans on the other one', 'server/access/postgres.ts', "import { prepare } from '../sqlite/rows.ts';"],
  ['a dialect with a clock of its own', 'server/dialects/wire/frames.ts', "export { openLog } from '../../telemetry/log.ts';"],
  ['a second importer of the adapter', 'server/http/entrance.ts', "import { initServer } from '@ts-rest/fastify';"],
  ['a second maker of the OpenAPI document', 'docs/generate/errors.ts', "import { generateOpenApi } from '@ts-rest/open-api';"],
  ['a room that builds the gateway', 'server/request/pipeline.ts', "import { openGateway } from '../gateway.ts';"],
  ['an import in the middle of a function', 'server/storage/sqlite/database.ts', "export const late = () => import('../../http/app.ts');"],
  ['the type of a room, written in place', 'server/dialects/usage.ts', "export type Log = import('../telemetry/log.ts').Log;"],
  ['a room that the table does not know', 'server/surprise/door.ts', "import { contract } from '../../contract/index.ts';"],
  ['a product that leans on its tests', 'server/http/app.ts', "import { openFake } from '../../fakes/upstream.ts';"],
  ['a constant in small letters', 'server/http/entrance.ts', 'export const most = 2 * 8;'],
  ['a default export', 'server/http/entrance.ts', 'export default function open() {}'],
  ['a default export by another name', 'server/http/entrance.ts', 'const OPEN = 1;\nexport { OPEN as default };'],
  ['a file of 461 lines', 'server/http/entrance.ts', 'export const LINE = 1;\n'.repeat(461)],
])('%s breaks a rule', (_name, path, text) => {
  expect(broken({ path, text })).toHaveLength(1);
});

test('files that import each other in a cycle break a rule', () => {
  const sources = [
    { path: 'server/access/one.ts', text: "import { two } from './two.ts';" },
    { path: 'server/access/two.ts', text: "import { three } from './three.ts';" },
    { path: 'server/access/three.ts', text: "import type { One } from './one.ts';" },
  ];
  expect(broken(...sources)).toEqual([
    'a ring of imports: server/access/one.ts → server/access/two.ts → server/access/three.ts → server/access/one.ts',
  ]);
});

test('a rule can allow type imports and forbid value imports', () => {
  const path = 'server/request/pipeline.ts';
  expect(broken({ path, text: "import { type Gateway } from '../gateway.ts';" })).toEqual([]);
  expect(broken({ path, text: "import { type Gateway, openGateway } from '../gateway.ts';" })).toHaveLength(1);
});

test('an import in a string or a comment is ignored', () => {
  expect(broken({ path: 'contract/chat.ts', text: 'export const SAMPLE = `import OpenAI from "openai";`; // import "fastify"' })).toEqual(
    [],
  );
});

test('billing, history, limits and the pipeline hold no field of a protocol and no pattern for text', () => {
  expect(protocolNamesIn(readSources())).toEqual([]);
});

test.each([
  ['a field', 'export const limited = ({ max_tokens: limit }) => limit;'],
  ['an event', "export const isEnd = (type) => type === 'response.completed';"],
  ['a pattern', 'export const grown = (text) => text.matchAll(/text/g);'],
])('%s in a policy folder breaks a rule, and none in a dialect or a comment', (_name, text) => {
  expect(protocolNamesIn([{ path: 'server/billing/hold.ts', text }])).toHaveLength(1);
  expect(protocolNamesIn([{ path: 'server/dialects/asked.ts', text }])).toEqual([]);
  expect(protocolNamesIn([{ path: 'server/billing/hold.ts', text: `/* ${text.replaceAll('/', '')} */` }])).toEqual([]);
});

test('only the configuration and the dialects name a kind of upstream', () => {
  expect(vendorNamesIn(readSources())).toEqual([]);
});

test('a kind of upstream in another folder breaks a rule', () => {
  const text = "export const isForeign = (kind) => kind === 'gemini';";
  expect(vendorNamesIn([{ path: 'server/doctor/network.ts', text }])).toHaveLength(1);
  expect(vendorNamesIn([{ path: 'server/config/schema.ts', text }])).toEqual([]);
});

const apart: readonly string[] = [
  // The cast of each engine and of each dialect, or a step of a request with a name of its own.
  'server/admin/upstreams.ts',
  'server/commands/command-line.ts',
  'server/config/import/litellm-places.ts',
  'server/dialects/converse/answer.ts',
  'server/dialects/gemini/answer.ts',
  'server/dialects/responses/read-answer.ts',
  'server/pages/site.ts',
  'server/request/early-refusal.ts',
  'server/simulator/image-file.ts',
  'server/simulator/images.ts',
  'server/simulator/simulator.ts',
  'server/storage/copy/postgres.ts',
  'server/storage/copy/sqlite.ts',
  'server/trpc/mount.ts',
];
