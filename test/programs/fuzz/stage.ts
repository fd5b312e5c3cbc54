/** What stands around the cases: a gateway with money and limits, vendors behind it, and the books that are looked at after each family of cases. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Fake, openFake } from '../../fakes/upstream.ts';
import { unnamedIn } from '../../harness/contract-check.ts';
import { type Kind, type Reply, say } from '../../harness/pairs.ts';
import { withPrices } from '../../harness/prices.ts';
import { type GatewayUnderFuzz, startGatewayUnderFuzz } from './gateway-process.ts';
import { canary } from './hostile.ts';
import { Lane } from './lane.ts';
import type { Secrets } from './oracle.ts';
import type { Vitals } from './probe.ts';
import { Tally } from './tally.ts';

const vendorKey = 'sk-vendor-7c1e5b9d2f';
export const texts = ['sim', 'over-chat', 'over-responses', 'over-anthropic', 'over-gemini'];
export const pictures = ['drawn'];

/** The most that the event loop may do at once, in readings of the costliest body: about one of these is what it does. What grows faster than its input does hundreds. */
const MAX_BUSY = 4;
/** Where the code lies. */
const root = join(import.meta.dirname, '../../..');

export interface Stage {
  readonly gateway: GatewayUnderFuzz;
  readonly secrets: Secrets;
  readonly tally: Tally;
  /** What a vendor says to the request that holds this text; each says a plain word to all others. */
  expectToSay(text: string, reply: Reply): void;
  /** To be called after each family: nothing is held, nothing rejected was charged, the gateway is alive and was never busy for long. */
  settle(name: string): Promise<void>;
  vitals(): Promise<Vitals>;
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const replies = new Map<string, Reply>();
  const fakes = await openVendors(replies);
  const gateway = await startGatewayUnderFuzz(settingsOver(fakes));
  const tally = new Tally();
  // How long the start took is nobody's concern here.
  await gateway.vitals();
  return {
    gateway,
    tally,
    secrets: { texts: [gateway.key, gateway.folder, vendorKey, root] },
    expectToSay: (text, reply) => void replies.set(text, reply),
    vitals: () => gateway.vitals(),
    async settle(name) {
      await checkAlive(gateway, name);
      await checkBooks(gateway, tally, name);
      checkNamed(gateway, name);
      const { busyMs, blockedMs } = await gateway.vitals();
      const yardstickMs = await gateway.yardstick();
      tally.tell(name, { busyMs, blockedMs, yardstickMs });
      if (busyMs > MAX_BUSY * yardstickMs) {
        const beside = `a reading of the costliest body takes ${yardstickMs.toFixed()} ms`;
        throw new Error(
          `${name}: the event loop was busy for ${busyMs.toFixed()} ms at once, perhaps by ${tally.slowestOf(name)}; ${beside}`,
        );
      }
    },
    async close() {
      await gateway.close();
      for (const fake of Object.values(fakes)) await fake.close();
    },
  };
}

type Vendors = Readonly<Record<Kind | 'images', Fake>>;

async function openVendors(replies: ReadonlyMap<string, Reply>): Promise<Vendors> {
  const open = async (kind: Kind): Promise<Fake> => {
    const fake = await openFake();
    return fake.always((request) => {
      const asked = /case-\d+/.exec(request.body.toString())?.[0] ?? '';
      // An object, because a caller may have asked for JSON.
      return say(kind, request, replies.get(asked) ?? { text: '{"ok":true}' });
    });
  };
  const [chat, responses, anthropic] = await Promise.all([open('chat'), open('responses'), open('anthropic')]);
  const [gemini, converse] = await Promise.all([open('gemini'), open('converse')]);
  return { chat, responses, anthropic, gemini, converse, images: await openFake() };
}

function settingsOver(fakes: Vendors): Record<string, unknown> {
  const openai = (name: keyof Vendors) => ({ kind: 'openai', baseUrl: fakes[name].url, apiKey: vendorKey, protocols: [name] });
  const foreign = (kind: 'anthropic' | 'gemini' | 'converse') => ({ kind, baseUrl: fakes[kind].url, apiKey: vendorKey });
  const limits = { requestsPerMinute: 10_000_000, tokensPerMinute: 10_000_000_000, concurrency: 1_000 };
  const over = (kind: Kind) => ({ id: `over-${kind}`, kind: 'text', upstream: kind, upstreamModel: `${kind}-fake` });
  return withPrices({
    admin: { enabled: false },
    // Whoever is rejected here is rejected for what was asked.
    server: { overload: { loopDelayMs: 0 } },
    limits: { perKey: limits, perAccount: limits },
    upstreams: {
      chat: openai('chat'),
      responses: openai('responses'),
      images: openai('images'),
      anthropic: foreign('anthropic'),
      gemini: foreign('gemini'),
      converse: { ...foreign('converse'), baseUrl: new URL(fakes.converse.url).origin },
      sim: { kind: 'simulator', eventDelayMs: 0 },
    },
    models: [
      { id: 'sim', kind: 'text', upstream: 'sim', limits },
      ...[over('chat'), over('responses'), over('anthropic'), over('gemini'), over('converse')],
      { id: 'drawn', kind: 'image', upstream: 'images' },
    ],
  });
}

async function checkAlive(gateway: GatewayUnderFuzz, name: string): Promise<void> {
  if (!gateway.isAlive) throw new Error(`${name}: the gateway has died: ${gateway.log.slice(-2_000)}`);
  const lane = new Lane(gateway.port);
  const { status } = await lane.ask('GET /readyz HTTP/1.1\r\nhost: fuzz\r\n\r\n');
  lane.close();
  if (status !== 200) throw new Error(`${name}: the gateway is not ready any more`);
}

/** Nothing was answered that the contract does not name for the operation. */
function checkNamed({ log }: GatewayUnderFuzz, name: string): void {
  const rejected = log.split('\n').filter((line) => line.includes('"code":"') && line.endsWith('"msg":"request"}'));
  const unnamed = unnamedIn(
    rejected.map((line) => JSON.parse(line)),
    ({ upstream }) => upstream === 'sim',
  );
  if (unnamed.length > 0) throw new Error(`${name}: the contract does not name ${[...new Set(unnamed)].join(', ')}`);
}

/** The ledger, as another process sees it. */
async function checkBooks(gateway: GatewayUnderFuzz, tally: Tally, name: string): Promise<void> {
  const ledger = gateway.openLedger();
  try {
    const held = ledger.prepare(
      "SELECT (SELECT count(*) FROM charges WHERE state = 'held') + (SELECT coalesce(sum(held), 0) FROM balances) AS n",
    );
    await expect.poll(() => held.get()?.n, { interval: 20, message: `${name}: what is still held` }).toBe(0);
    const stateOf = ledger.prepare('SELECT state, charged FROM charges WHERE request_id = ?');
    for (const id of tally.takeRejected()) {
      if (Number(stateOf.get(id)?.charged ?? 0) > 0) throw new Error(`${name}: ${id} was rejected, and charged`);
    }
    for (const id of tally.takePaid()) {
      if (stateOf.get(id)?.state !== 'posted') throw new Error(`${name}: ${id} was served, and not charged`);
    }
  } finally {
    ledger.close();
  }
}

/** Faults in what the gateway wrote on stderr: every line is one of its own, and none tells what it must not. */
export function faultsInLog(log: string, secrets: Secrets): string[] {
  const lines = log.split('\n').filter((line) => line !== '');
  const faults = [...secrets.texts, canary].filter((text) => log.includes(text)).map((text) => `the log holds ${text.slice(0, 6)}…`);
  for (const line of lines) {
    const problem = faultIn(line);
    if (problem) faults.push(problem);
  }
  return faults;
}

function faultIn(line: string): string | null {
  try {
    const { level, msg } = JSON.parse(line) as { level?: unknown; msg?: unknown };
    if (level === 'error' || level === 'fatal') return `a failure in the log: ${line.slice(0, 1_500)}`;
    return typeof msg === 'string' ? null : `a line without a message: ${line.slice(0, 200)}`;
  } catch {
    return `a line that is no JSON: ${line.slice(0, 200)}`;
  }
}
