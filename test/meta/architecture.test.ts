/** Which folder may import which, and what a file may hold; the table is in architecture/rules.ts. */
import { expect, test } from 'vitest';
import { misnamed, namedByIdea } from './architecture/file-names.ts';
import { protocolNamesIn, vendorNamesIn } from './architecture/protocol-names.ts';
import { violationsOf } from './architecture/rules.ts';
import { parse, readSources, type Source, topLevelFolders } from './architecture/sources.ts';

const broken = (...sources: Source[]): string[] => violationsOf(sources.map(parse));

test('the repository has five folders', () => {
  expect(
    topLevelFolders()
      .filter((name) => !['node_modules', 'data', 'dist'].includes(name))
      .sort(),
  ).toEqual(['client', 'contract', 'docs', 'server', 'test']);
});

test('every file imports only allowed folders, is in no import cycle, and has no default export', () => {
  const sources = readSources();
  expect(sources.length).toBeGreaterThan(100);
  expect(broken(...sources)).toEqual([]);
});

test('a file is named after its main export, or listed with its idea', () => {
  const listed = Object.keys(namedByIdea);
  expect(misnamed(readSources().map(parse)).toSorted()).toEqual(listed.toSorted());
});

test('a file that is named after none of its exports is misnamed', () => {
  const files = [
    { path: 'server/access/permissions.ts', text: 'export const denialOf = () => null;' },
    { path: 'server/access/key-issuer.ts', text: 'export class KeyIssuer {}' },
    { path: 'server/access/permissions.gen.ts', text: 'export const denialOf = () => null;' },
  ];
  expect(misnamed(files.map(parse))).toEqual(['server/access/permissions.ts']);
});

test.each([
  ['a contract that knows the server', 'contract/chat.ts', "import { openApp } from '../../server/api/app.ts';"],
  ['a contract that needs a web server', 'contract/chat.ts', "import fastify from 'fastify';"],
  ['a client with a dependency', 'client/sdk/src/send.ts', "import { request } from 'undici';"],
  ['a client that runs on Node alone', 'client/sdk/src/send.ts', "import { readFile } from 'node:fs/promises';"],
  ['a policy room that knows another', 'server/access/authenticate.ts', "import { openUpstreams } from '../providers/kinds.ts';"],
  [
    'a policy room that knows another by a type',
    'server/providers/http-upstream.ts',
    "import type { Principal } from '../access/principal.ts';",
  ],
  ['a database that leans on the other one', 'server/access/postgres.ts', "import { prepare } from '../sqlite/rows.ts';"],
  ['a dialect with a clock of its own', 'server/protocols/wire/frames.ts', "export { openLog } from '../../telemetry/log.ts';"],
  ['a second importer of the adapter', 'server/api/v1/auth-hook.ts', "import { initServer } from '@ts-rest/fastify';"],
  ['a second maker of the OpenAPI document', 'docs/generate/errors.ts', "import { generateOpenApi } from '@ts-rest/open-api';"],
  ['a room that builds the gateway', 'server/call/pipeline.ts', "import { openGateway } from '../gateway/gateway.ts';"],
  ['an import in the middle of a function', 'server/store/sqlite/database.ts', "export const late = () => import('../../api/app.ts');"],
  ['the type of a room, written in place', 'server/protocols/usage.ts', "export type Log = import('../telemetry/log.ts').Log;"],
  ['a room that the table does not know', 'server/surprise/door.ts', "import { contract } from '../../contract/index.ts';"],
  ['a product that leans on its tests', 'server/api/app.ts', "import { openFake } from '../../fakes/upstream.ts';"],
  ['a constant in small letters', 'server/api/v1/auth-hook.ts', 'export const most = 2 * 8;'],
  ['a default export', 'server/api/v1/auth-hook.ts', 'export default function open() {}'],
  ['a default export by another name', 'server/api/v1/auth-hook.ts', 'const OPEN = 1;\nexport { OPEN as default };'],
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
  const path = 'server/call/pipeline.ts';
  expect(broken({ path, text: "import { type Gateway } from '../gateway/gateway.ts';" })).toEqual([]);
  expect(broken({ path, text: "import { type Gateway, openGateway } from '../gateway/gateway.ts';" })).toHaveLength(1);
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
  expect(protocolNamesIn([{ path: 'server/money/hold.ts', text }])).toHaveLength(1);
  expect(protocolNamesIn([{ path: 'server/protocols/asked.ts', text }])).toEqual([]);
  expect(protocolNamesIn([{ path: 'server/money/hold.ts', text: `/* ${text.replaceAll('/', '')} */` }])).toEqual([]);
});

test('only the configuration and the dialects name a kind of upstream', () => {
  expect(vendorNamesIn(readSources())).toEqual([]);
});

test('a kind of upstream in another folder breaks a rule', () => {
  const text = "export const isForeign = (kind) => kind === 'gemini';";
  expect(vendorNamesIn([{ path: 'server/operate/doctor/upstream.ts', text }])).toHaveLength(1);
  expect(vendorNamesIn([{ path: 'server/config/schema.ts', text }])).toEqual([]);
});
