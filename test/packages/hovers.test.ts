/** Hovers and compiler errors in an editor, for the client, ts-rest, and tRPC: types have their names, and errors are short. */
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consumersMissing, leftOut } from '../harness/tools.ts';
import { openProject, type Project } from './project.ts';

/** What follows a mark is hovered over. */
const app = `
import { Modelgate } from '@modelgate/client';
import { contract } from '@modelgate/contract';
import { routes } from '@modelgate/contract/routes';
import type { AppRouter } from '@modelgate/trpc';
import { createTRPCClient, httpLink } from '@trpc/client';
import { initClient } from '@ts-rest/core';

const client = new Modelgate({ baseURL: '', apiKey: '' });
const api = initClient(contract, { baseUrl: '' });
const small = initClient(routes, { baseUrl: '' });
const trpc = createTRPCClient<AppRouter>({ links: [httpLink({ url: '' })] });

const /*client answer*/asked = await client./*client call*/createResponse({ model: 'm', input: 'Hi' });
const /*ts-rest answer*/told = await api./*ts-rest call*/createResponse({ body: { model: 'm', input: 'Hi' } });
if (told.status === 200) told./*ts-rest body*/body;
const /*routes answer*/brief = await small./*routes call*/createResponse({ body: { model: 'm', input: 'Hi' } });
if (brief.status === 200) brief./*routes body*/body;
const /*tRPC answer*/got = await trpc.createResponse./*tRPC call*/mutate({ model: 'm', input: 'Hi' });
const /*tRPC items*/items = got.output;
for await (const /*tRPC event*/event of await trpc.stream.createResponse./*tRPC stream*/mutate({ model: 'm', input: 'Hi' })) event;
`;
const mistakes = `
import type { AppRouter } from '@modelgate/trpc';
import { Modelgate } from '@modelgate/client';
import { contract } from '@modelgate/contract';
import { createTRPCClient, httpLink } from '@trpc/client';
import { initClient } from '@ts-rest/core';

const client = new Modelgate({ baseURL: '', apiKey: '' });
const api = initClient(contract, { baseUrl: '' });
const trpc = createTRPCClient<AppRouter>({ links: [httpLink({ url: '' })] });
client.createResponse({ model: 'm', imput: 'Hi' });
api.createResponse({ body: { model: 'm', imput: 'Hi' } });
trpc.createResponse.mutate({ model: 'm', imput: 'Hi' });
trpc.createResponse.mutate({ model: 'm', input: 5 });
trpc.createChatCompletion.mutate({ model: 'm' });
trpc.stream.createChatCompletion.mutate({ model: 'm', messages: [{ role: 'usr', content: 'Hi' }] });
trpc.getModel.query({});
client.createResponse({ model: 'm', input: [{ role: 'user', content: [{ type: 'input_txt', text: 'x' }] }] });
api.createResponse({ body: { model: 'm', input: [{ role: 'user', content: [{ type: 'input_txt', text: 'x' }] }] } });
client.generateImages({ model: 'm', prompt: 'A cat', response_format: 'url' });
`;

describe.skipIf(consumersMissing !== null)(`an editor${leftOut(consumersMissing)}`, () => {
  let project: Project;
  let service: ts.LanguageService;
  beforeAll(async () => {
    const others = ['@ts-rest/core', '@types/node', 'zod', 'undici-types', '@trpc/client', '@trpc/server'];
    project = await openProject(['@modelgate/contract', '@modelgate/client', '@modelgate/trpc'], others);
    await project.write({ 'app.mts': app, 'mistakes.mts': mistakes });
    service = serviceOf(project.folder, ['app.mts', 'mistakes.mts']);
  });
  afterAll(() => project?.remove());

  test.each([...app.matchAll(/\/\*([^*]+)\*\//g)].map(({ 0: mark, 1: what, index }) => ({ what, at: index + mark.length })))(
    'shows the $what in less than ten lines, with the names of its types',
    ({ what, at }) => {
      const { displayParts } = service.getQuickInfoAtPosition(join(project.folder, 'app.mts'), at) ?? expect.fail('nothing is shown');
      const text = ts.displayPartsToString(displayParts);
      expect(text, text).toMatch(/\bModelResponse\b|\bOutputItem\b|\bResponseStreamEvent\b/);
      // ts-rest itself lists an answer for each status, as far as an editor shows it.
      if (/^(?:ts-rest|routes) (?:call|answer)$/.test(what ?? '')) return;
      expect(text.split('\n').length, text).toBeLessThan(10);
      expect(text.length, text).toBeLessThan(700);
    },
  );

  test('finds each mistake, in one to six lines', () => {
    const found = service.getSemanticDiagnostics(join(project.folder, 'mistakes.mts'));
    const texts = found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    expect(texts.length).toBe(10);
    for (const text of texts) {
      expect(text.split('\n').length, text).toBeLessThanOrEqual(6);
      expect(text.length, text).toBeLessThan(1_000);
    }
    // In a message without `type`, the compiler names the wrong part, not a missing type of the item.
    expect(texts.filter((text) => text.includes('Did you mean \'"input_text"\'?'))).toHaveLength(2);
    expect(texts.at(-1)).toContain('"b64_json"');
  });
});

function serviceOf(folder: string, files: readonly string[]): ts.LanguageService {
  const { NodeNext: module } = ts.ModuleKind;
  const options = { module, target: ts.ScriptTarget.ES2022, strict: true, skipLibCheck: true, noEmit: true, types: ['node'] };
  return ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => files.map((file) => join(folder, file)),
    getScriptVersion: () => '1',
    getScriptSnapshot: (file) => {
      const text = ts.sys.readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: ts.sys.realpath,
  });
}
