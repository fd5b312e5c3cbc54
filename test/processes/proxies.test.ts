/** The configuration of each proxy in the guide, run by that proxy: streams arrive event by event, large bodies pass, and the end of a caller reaches the vendor. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { chatFrames } from '../fakes/chat.ts';
import { stream } from '../fakes/delivery.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { temporaryFolder } from '../harness/folder.ts';
import { freePort } from '../harness/free-port.ts';
import { behind, startGateway, type TestGateway } from '../harness/gateway.ts';
import { leftOut } from '../harness/tools.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/tls-and-proxies.md'), 'utf8');
const sample = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'm').exec(guide)?.[1] ?? expect.fail(`no sample for ${language}`);

let vendor: Fake;
let gateway: TestGateway;
beforeAll(async () => {
  vendor = await openFake();
  gateway = await startGateway({
    ...behind(vendor.url, { onClientDisconnect: 'abort' }),
    // HAProxy notices at a write that the caller is gone.
    server: { trustedProxies: ['127.0.0.1'], heartbeatMs: 100 },
  });
});
afterAll(async () => {
  await gateway.close();
  await vendor.close();
});

interface Ground {
  readonly folder: string;
  readonly port: number;
  /** Host and port of the gateway. */
  readonly target: string;
}

interface Proxy {
  readonly name: string;
  readonly language: string;
  readonly program: string;
  /** The sample with the ports and files of the test, as a whole configuration. */
  readonly write: (written: string, ground: Ground) => string;
  readonly args: (file: string, folder: string) => readonly string[];
}

const proxies: readonly Proxy[] = [
  {
    name: 'Caddy',
    language: 'caddyfile',
    program: 'caddy',
    write: (written, { folder, port }) =>
      `{\n  admin off\n  auto_https off\n}\n${written.replace('gateway.example.com {', `https://localhost:${port} {\n  bind 127.0.0.1\n  tls ${folder}/gateway.crt ${folder}/gateway.key`)}`,
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
  {
    name: 'nginx',
    language: 'nginx',
    program: 'nginx',
    write: (written, { folder, port }) =>
      `daemon off; pid ${folder}/pid; error_log stderr; events {}\nhttp { access_log off; ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}\n${written
        .replace('listen 443', `listen 127.0.0.1:${port}`)
        .replace('/etc/ssl/gateway.pem', `${folder}/gateway.crt`)
        .replace('/etc/ssl/gateway.key', `${folder}/gateway.key`)}}`,
    args: (file, folder) => ['-c', file, '-p', folder, '-e', 'stderr'],
  },
  {
    name: 'HAProxy',
    language: 'haproxy',
    program: 'haproxy',
    write: (written, { folder, port }) =>
      written.replace('bind :443', `bind 127.0.0.1:${port}`).replace('/etc/haproxy/gateway.pem', `${folder}/gateway.pem`),
    args: (file) => ['-db', '-f', file],
  },
];

/** Programs for root are not in every PATH. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
const missing = ({ program, name }: Proxy): string | null =>
  spawnSync(program, [program === 'caddy' ? 'version' : '-v'], { env }).status === 0 ? null : `${name} is not installed here.`;

/** Starts the proxy. Resolves with its port when it takes connections. */
async function start(proxy: Proxy): Promise<number> {
  const ground: Ground = { folder: temporaryFolder(), port: await freePort(), target: new URL(gateway.baseURL).host };
  const { folder, port, target } = ground;
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const key = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-keyout',
    `${folder}/gateway.key`,
    '-out',
    `${folder}/gateway.crt`,
  ];
  execFileSync('openssl', [...key, ...subject], { stdio: 'pipe' });
  writeFileSync(join(folder, 'gateway.pem'), readFileSync(`${folder}/gateway.crt`, 'utf8') + readFileSync(`${folder}/gateway.key`, 'utf8'));
  const file = join(folder, 'config');
  const written = sample(proxy.language);
  expect(written).toContain('127.0.0.1:8080');
  writeFileSync(file, proxy.write(written, ground).replaceAll('127.0.0.1:8080', target));
  const child = spawn(proxy.program, proxy.args(file, folder), {
    env: { ...env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (bytes) => {
    said += String(bytes);
  });
  onTestFinished(async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
  });
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${proxy.name} has ended: ${said}`);
    if (await isTaken(port)) return port;
    await pause(20);
  }
}

async function isTaken(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

function post(port: number, json: object): Promise<IncomingMessage> {
  const agent = new Agent({ rejectUnauthorized: false, servername: 'localhost' });
  const headers = { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json', host: `localhost:${port}` };
  const sent = request({ host: '127.0.0.1', port, path: '/v1/chat/completions', method: 'POST', headers, agent });
  sent.end(JSON.stringify(json));
  return new Promise((resolve, reject) => {
    sent.on('response', resolve).on('error', reject);
  });
}

async function readUntil(answer: IncomingMessage, words: string): Promise<string> {
  let text = '';
  for (;;) {
    const piece: Buffer | null = answer.read();
    if (piece !== null) text += piece.toString();
    if (text.includes(words)) return text;
    if (answer.readableEnded) throw new Error(`the answer ended without ${words}: ${text.slice(0, 500)}`);
    if (piece === null) await Promise.race([once(answer, 'readable'), once(answer, 'end')]);
  }
}

/** A stream that says its first word, and the rest when the gate opens. */
function saying(gate: Promise<void>) {
  const frames = chatFrames({ text: ['first word', ' and the last'], includeUsage: true });
  const at = frames.findIndex((frame) => JSON.stringify(frame).includes('first word')) + 1;
  return stream([...frames.slice(0, at), { until: gate }, ...frames.slice(at)]);
}

const ask = { model: 'gpt-5.4', messages: [{ role: 'user', content: 'Hi' }] };

describe.each(proxies.map((proxy) => ({ ...proxy, reason: missing(proxy) })))('$name', (proxy) => {
  test.skipIf(proxy.reason !== null)(`forwards a WebSocket${leftOut(proxy.reason)}`, async () => {
    const port = await start(proxy);
    const headers = { authorization: `Bearer ${gateway.key}`, host: `localhost:${port}` };
    const agent = new Agent({ rejectUnauthorized: false, servername: 'localhost' });
    const socket = new WebSocket(`wss://127.0.0.1:${port}/v1/responses`, { headers, agent });
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'response.create', model: 'gpt-5.4', input: 'Hi', generate: false }));
    expect(JSON.parse(String((await once(socket, 'message'))[0]))).toMatchObject({ type: 'response.created' });
    socket.close();
  });

  test.skipIf(proxy.reason !== null)(`hands on each event before the next is sent, and the last one${leftOut(proxy.reason)}`, async () => {
    const port = await start(proxy);
    const gate = Promise.withResolvers<void>();
    vendor.next(saying(gate.promise));
    const answer = await post(port, { ...ask, stream: true });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(await readUntil(answer, 'first word')).not.toContain('and the last');
    gate.resolve();
    expect(await readUntil(answer, '[DONE]')).toContain('and the last');
  });

  test.skipIf(proxy.reason !== null)(
    `closes its connection when the caller disconnects, so the provider's work ends${leftOut(proxy.reason)}`,
    async () => {
      const port = await start(proxy);
      vendor.next(saying(new Promise(() => {})));
      const answer = await post(port, { ...ask, stream: true });
      await readUntil(answer, 'first word');
      answer.destroy();
      await expect.poll(() => vendor.last.closedAt, { timeout: 15_000 }).not.toBeNull();
      expect(vendor.last.endedAt).toBeNull();
    },
  );

  test.skipIf(proxy.reason !== null)(`takes a body of twenty megabytes${leftOut(proxy.reason)}`, async () => {
    const port = await start(proxy);
    const url = `data:image/png;base64,${'A'.repeat(20_000_000)}`;
    const answer = await post(port, { ...ask, messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] });
    answer.resume();
    expect(answer.statusCode).toBe(200);
    expect(vendor.last.body.length).toBeGreaterThan(20_000_000);
  });
});
