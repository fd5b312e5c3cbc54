/** `modelgate connect` on an empty home, for each tool that the registries have: the real tool edits a file over the gateway, shows a rejection, and is taken back. */
import { execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { recipes } from '../../client/connect/recipes/tools.ts';
import { UsageList } from '../../contract/usage.ts';
import { failure } from '../fakes/faults.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { modelgate } from '../harness/command-line.ts';
import { temporaryFolder } from '../harness/folder.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import {
  aider,
  claudeCode,
  claudeCodeRouter,
  cline,
  codex,
  continueDev,
  leftOut,
  llm,
  missing,
  opencode,
  type Tool,
} from '../harness/tools.ts';
import { goodbye, illustrator, vendorFor } from './connect-vendor.ts';

const run = promisify(execFile);
const programs: Readonly<Record<string, readonly Tool[]>> = {
  codex: [codex],
  opencode: [opencode],
  cline: [cline],
  continue: [continueDev],
  aider: [aider],
  llm: [llm],
  'claude-code': [claudeCodeRouter, claudeCode],
};
/** Those of Python are started as modules. */
const modules: Readonly<Record<string, Tool>> = { aider, llm };
const cases = Object.entries(programs).map(([id, tools]) => [id, tools.map(missing).find((reason) => reason !== null) ?? null] as const);

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part.close();
});

const rejection = 'The vendor draws the line here.';
const model = { id: 'gpt-5.4', kind: 'text', prices: 'free', contextWindow: 200_000, maxOutputTokens: 8_000 };

async function openGateway(): Promise<{ readonly fake: Fake; readonly gateway: TestGateway }> {
  const fake = await openFake();
  const upstreams = { vendor: { kind: 'openai', protocols: ['chat'], baseUrl: fake.url, apiKey: 'sk-vendor-secret' } };
  const gateway = await startGateway({ upstreams, models: [model] });
  open.push(fake, gateway);
  return { fake, gateway };
}

/** An empty home, and an environment that reaches nothing but this machine. */
function newHome(id: string) {
  const home = temporaryFolder();
  const bin = temporaryFolder();
  const module = modules[id];
  if (module) {
    writeFileSync(join(bin, id), `#!/bin/sh\nexec '${module.program}' -m ${id} "$@"\n`);
    chmodSync(join(bin, id), 0o755);
  }
  const folders = (programs[id] ?? []).map(({ program }) => dirname(program));
  const proxy = 'http://127.0.0.1:9';
  const path = [bin, ...(module ? [] : folders), dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { HOME: home, PATH: path, HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: '127.0.0.1,localhost' };
  return { home, env };
}

describe.each(cases)('%s', (id, reason) => {
  const recipe = recipes.find((one) => one.id === id);
  if (!recipe?.once) throw new Error(`no recipe runs ${id}`);
  const { once, name } = recipe;

  it.skipIf(reason !== null)(`connects, edits a file, shows a rejection, and disconnects${leftOut(reason)}`, async () => {
    const { fake, gateway } = await openGateway();
    const agent = vendorFor(id);
    let isRejecting = false;
    fake.always((request) => (isRejecting ? failure(400, { code: 'unsupported_value', message: rejection }) : agent(request)));
    const { home, env } = newHome(id);
    const original = id === 'claude-code' ? await reserveRouter(home, env) : null;
    const startedAt = performance.now();
    const connect = ['connect', id, '--base-url', gateway.baseURL, '--key', gateway.key];
    const connected = await modelgate([...connect, '--test'], { env });
    expect(connected.stderr).toBe('');
    expect(connected.stdout).toContain(`Test passed: ${name} read a file and wrote another with gpt-5.4`);
    expect(connected.stdout).not.toContain(gateway.key);
    expect(connected.code).toBe(0);
    console.log(`${id}: from key to first edit in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);

    isRejecting = true;
    const args = once.args({ prompt: 'Say hello.', file: 'notes.txt' });
    expect(await printedBy(once.program, args, { ...env, ...once.env })).toContain(rejection);

    const { stdout } = connected;
    const written = [...stdout.matchAll(/^Wrote ~\/(.*)$/gm)].map(([, path = '']) => join(home, path));
    expect(written.length).toBeGreaterThan(0);
    const undone = await modelgate(['connect', id, '--undo'], { env });
    expect(undone.code).toBe(0);
    expect(written.map((path) => (existsSync(path) ? readFileSync(path, 'utf8') : null))).toEqual(written.map(() => original));
  });
});

describe.skipIf(missing(codex) !== null)(`one session of Codex${leftOut(missing(codex))}`, () => {
  it('uses all five operations: lists models, creates and edits an image, and runs a program that calls chat', async () => {
    const fake = await openFake();
    const upstreams = {
      vendor: { kind: 'openai', protocols: ['chat'], baseUrl: fake.url, apiKey: 'sk-vendor-secret' },
      pictures: { kind: 'simulator', eventDelayMs: 0 },
    };
    const prices = { images: { default: '0.25' } };
    const models = [
      { ...model, upstream: 'vendor' },
      { id: 'gpt-image-2', kind: 'image', upstream: 'pictures', prices },
    ];
    const gateway = await startGateway({ upstreams, models });
    open.push(fake, gateway);
    fake.always(illustrator(gateway.baseURL));
    const { env } = newHome('codex');
    const own = { ...env, MODELGATE_API_KEY: gateway.key };
    const connected = await modelgate(['connect', 'codex', '--base-url', gateway.baseURL, '--key-from-env'], { env: own });
    expect(connected.stdout).toContain('+http_headers = { x-openai-actor-authorization = "local" }');
    // Its program calls the gateway, so it needs the network.
    const args = ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', 'Draw a lighthouse, then at night.'];
    const printed = await printedBy(codex.program, args, own);
    expect(printed).toContain(goodbye);
    // The model sees both pictures.
    expect(JSON.stringify(fake.last.fields.messages).match(/data:image\/png;base64,iVBORw0KGgo/g)).toHaveLength(2);
    const { data } = UsageList.parse(await (await gateway.call('/usage?limit=100')).json());
    const charged = data.map(({ operation, model: id, charged: amount }) => `${operation} ${id} ${amount}`);
    expect(new Set(charged)).toEqual(
      new Set([
        'createResponse gpt-5.4 0.000000',
        'generateImages gpt-image-2 0.250000',
        'editImages gpt-image-2 0.250000',
        'createChatCompletion gpt-5.4 0.000000',
      ]),
    );
    // One by connect, one by Codex.
    expect(gateway.lines.filter(({ route }) => route === '/v1/models')).toHaveLength(2);
  });
});

/** The router's own port is that of every home: this one gets a free one, and its service is stopped at the end. */
async function reserveRouter(home: string, env: Readonly<Record<string, string>>): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new TypeError('the listener has no port');
  mkdirSync(join(home, '.claude-code-router'));
  // Claude Code thinks with every call: without a new route, all would go to the other provider.
  const Providers = [{ name: 'other', api_base_url: 'http://127.0.0.1:9/v1/chat/completions', api_key: 'x', models: ['qwen'] }];
  const original = JSON.stringify({ PORT: address.port, Providers, Router: { default: 'other,qwen', think: 'other,qwen' } });
  writeFileSync(join(home, '.claude-code-router/config.json'), original);
  open.push({ close: () => run('ccr', ['stop'], { env }) });
  return original;
}

/** Without a standard input, for which some would wait. Lines may be wrapped at the width of a terminal. */
async function printedBy(program: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn(program, args, { env, cwd: temporaryFolder(), stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 });
  const printed = await Promise.all([text(child.stdout), text(child.stderr)]);
  return printed.join('').replaceAll(/\s+/g, ' ');
}
