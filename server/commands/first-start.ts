/** Creates the data of the first start, even if it was interrupted: an account with a key and a balance for the demo. */

import { createHash } from 'node:crypto';
import { hashKey, newKey } from '../access/authenticate.ts';
import { firstNames, type IssuedKey, type Issuer, issueChosenKey, issueFirstKey } from '../access/issue.ts';
import type { Config } from '../config/config.ts';
import type { Gateway } from '../gateway.ts';
import { parseDollars } from '../ledger/charge.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { issueSetupToken } from '../sessions/sessions.ts';
import type { Log } from '../telemetry/log.ts';
import { dataHint } from './administration.ts';
import { CommandError } from './serving.ts';

/** The opening balance for the demo. */
const OPENING_BALANCE = parseDollars('100');

interface FirstStart {
  /** A key that the operator chose instead of a random one. */
  readonly chosen?: ChosenKey | undefined;
  /** Opening balance of the first account, in millionths of a dollar; a hundred dollars by default. */
  readonly balance?: bigint;
}

/** The first key: only at the first start, or at every start when the operator chose it. */
export async function completeFirstStart(
  issuer: Issuer,
  ledger: LedgerStore | null,
  { chosen, balance = OPENING_BALANCE }: FirstStart = {},
): Promise<string | undefined> {
  const first = chosen === undefined ? await issueFirstKey(issuer) : await adoptKey(chosen, issuer);
  const made = first && 'isNewAccount' in first && !first.isNewAccount ? undefined : first?.accountId;
  const accountId = made ?? (ledger && (await findUnpaid(issuer, ledger)));
  if (!ledger || !accountId || balance === 0n) return first?.key;
  // The transfer id makes repeated attempts book it only once.
  await ledger.adjust({
    accountId,
    transfer: `opening:${accountId}`,
    kind: 'top_up',
    at: issuer.now(),
    amount: balance,
    note: 'for trying the gateway',
  });
  return first?.key;
}

/** The first account, when it has no money: a start may have ended between key and balance. */
async function findUnpaid({ store }: Issuer, ledger: LedgerStore): Promise<string | undefined> {
  const account = await store.findAccount(firstNames.accountName);
  if (!account) return undefined;
  const balance = await ledger.balance(account.id);
  if (balance?.balance !== 0n || balance.held !== 0n) return undefined;
  // An account that an operator created gets no money here.
  const [oldest] = await store.listKeys(account.id);
  return oldest?.name === firstNames.name || oldest?.name === SEEDED_NAME ? account.id : undefined;
}

interface BannerFacts {
  readonly version: string;
  readonly config: Config;
  /** The working directory. */
  readonly folder: string;
  /** The origin that works from this machine, without a path. */
  readonly origin: string;
  /** The origin of the admin API; undefined when it is off. */
  readonly adminOrigin: string | undefined;
  /** The address of the metrics; undefined when they are off. */
  readonly metricsOrigin?: string | undefined;
  /** Only at the first start. */
  readonly firstKey: string | undefined;
  /** Only at the first start. */
  readonly setUp?: SetupTokens | undefined;
  /** Marks a heading; does nothing when the output is not a terminal. */
  readonly emphasize: (text: string) => string;
}

/** How to call the other commands: from the installed package, or from a checkout. */
export const PROGRAM = import.meta.url.includes('/node_modules/') ? 'npx modelgate' : 'npm run modelgate --';

export function writeBanner(facts: BannerFacts): string {
  const { version, config, folder, origin, adminOrigin, metricsOrigin, firstKey, emphasize } = facts;
  const hint = dataHint(config.data, folder);
  const baseUrl = `${origin}/v1`;
  const sample = sampleFor(config);
  const rows = [
    ['Base URL', baseUrl],
    ['API key', keyText(hint, firstKey)],
    ['Docs', `${origin}/docs`],
    ...pageRows(facts),
    ...(adminOrigin === undefined ? [] : [['Admin API', `${adminOrigin}/admin/docs   (a key for it: ${PROGRAM} admin-key create${hint})`]]),
    ...(metricsOrigin === undefined ? [] : [['Metrics', `${metricsOrigin}/metrics`]]),
    ...upstreamRows(config),
    ['Data', config.data],
  ];
  return [
    emphasize(`Modelgate ${version}`),
    '',
    ...rows.map(([name = '', text = '']) => `  ${emphasize(name.padEnd(10))} ${text}`),
    '',
    emphasize('Try it with curl:'),
    '',
    `  ${curlLine({ baseUrl, firstKey, sample })}`,
    '',
    emphasize('or with the OpenAI SDK (npm install openai; hello.mjs):'),
    '',
    ...sdkLines({ baseUrl, firstKey, sample }).map((line) => `  ${line}`),
    '',
    '',
  ].join('\n');
}

const ONCE = '   (one-time sign-in link, valid for 15 minutes)';

function pageRows(facts: BannerFacts): string[][] {
  const { console: operators, portal } = pageLinks(facts);
  const note = facts.setUp === undefined ? '' : ONCE;
  return [...(portal === null ? [] : [['Portal', portal + note]]), ...(operators === null ? [] : [['Console', operators + note]])];
}

/** Null where the pages are turned off. The token stands behind `#`, so that no server and no log sees it. */
function pageLinks({ config: { pages }, origin, adminOrigin, setUp }: BannerFacts): Record<'console' | 'portal', string | null> {
  const hash = (token: string | undefined): string => (token === undefined ? '' : `#setup=${token}`);
  return {
    console: pages.console && adminOrigin !== undefined ? `${adminOrigin}/console/${hash(setUp?.console)}` : null,
    portal: pages.portal ? `${origin}/portal/${hash(setUp?.portal)}` : null,
  };
}

/** The same for programs, as one line of JSON. */
export function writeReadyLine(facts: BannerFacts): string {
  const { version, origin, adminOrigin, metricsOrigin, firstKey } = facts;
  const links = pageLinks(facts);
  const line = {
    baseUrl: `${origin}/v1`,
    // Null when the key was shown at an earlier start: it cannot be shown again.
    apiKey: firstKey ?? null,
    pid: process.pid,
    version,
    adminUrl: adminOrigin ?? null,
    metricsUrl: metricsOrigin === undefined ? null : `${metricsOrigin}/metrics`,
    consoleUrl: links.console,
    portalUrl: links.portal,
  };
  return `${JSON.stringify(line)}\n`;
}

function keyText(hint: string, firstKey: string | undefined): string {
  if (firstKey !== undefined) return `${firstKey}   (save it: it's shown only once)`;
  return `your key was shown on first start; create another: ${PROGRAM} key create${hint}`;
}

function upstreamRows({ upstreams, tape }: Config): string[][] {
  if (tape?.kind === 'replay') return [['Upstream', `replay: responses recorded in ${tape.folder}`]];
  const kept = tape ? [['Recording', tape.folder]] : [];
  return [...kept, ...rowsOf(upstreams)];
}

function rowsOf(upstreams: Config['upstreams']): string[][] {
  return Object.values(upstreams).flatMap((upstream) =>
    upstream.kind !== 'simulator'
      ? [['Upstream', `${upstream.name} at ${upstream.baseUrl}`]]
      : [
          ['Upstream', `${upstream.name}: SIMULATOR. A built-in program generates the responses, without a real model.`],
          ['', 'For real models, set OPENAI_API_KEY or add upstreams to modelgate.yaml.'],
        ],
  );
}

/** A call of a model that the catalog has. */
interface Sample {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly call: string;
  readonly print: string;
}

const GREETING = 'Say hello.';

function sampleFor({ models }: Config): Sample {
  const chat = models.find(({ protocols }) => protocols.includes('chat'));
  if (chat !== undefined) {
    const body = { model: chat.id, messages: [{ role: 'user', content: GREETING }] };
    return { path: '/chat/completions', body, call: 'chat.completions.create', print: 'answer.choices[0].message.content' };
  }
  const responses = models.find(({ protocols }) => protocols.includes('responses'));
  if (responses !== undefined) {
    return { path: '/responses', body: { model: responses.id, input: GREETING }, call: 'responses.create', print: 'answer.output_text' };
  }
  return { path: '/models', body: undefined, call: 'models.list', print: 'answer.data' };
}

interface SampleFacts {
  readonly baseUrl: string;
  readonly firstKey: string | undefined;
  readonly sample: Sample;
}

function curlLine({ baseUrl, firstKey, sample }: SampleFacts): string {
  const call = `curl ${baseUrl}${sample.path} -H "Authorization: Bearer ${firstKey ?? '$MODELGATE_API_KEY'}"`;
  return sample.body === undefined ? call : `${call} -H "Content-Type: application/json" -d '${JSON.stringify(sample.body)}'`;
}

function sdkLines({ baseUrl, firstKey, sample }: SampleFacts): string[] {
  const key = firstKey === undefined ? 'process.env.MODELGATE_API_KEY' : `'${firstKey}'`;
  return [
    "import OpenAI from 'openai';",
    `const client = new OpenAI({ baseURL: '${baseUrl}', apiKey: ${key} });`,
    `const answer = await client.${sample.call}(${sample.body === undefined ? '' : JSON.stringify(sample.body)});`,
    `console.log(${sample.print});`,
  ];
}

interface ChosenKey {
  readonly key: string;
  readonly name: string;
}

/** The name of a key that is derived from a seed. */
const SEEDED_NAME = 'key from a seed';

/** Undefined when a random key is made. */
export function chooseKey({ key, seed }: { readonly key?: string; readonly seed?: string }): ChosenKey | undefined {
  if (key !== undefined) return { key, name: firstNames.name };
  if (seed === undefined) return undefined;
  const made = newKey((size) => createHash('sha256').update(`key ${seed}`).digest().subarray(0, size));
  return { key: made, name: SEEDED_NAME };
}

/** Throws when the key was revoked, or when a seeded key would share a database with real keys. */
async function adoptKey(chosen: ChosenKey, issuer: Issuer): Promise<IssuedKey> {
  if (chosen.name === SEEDED_NAME) await requireOwnFolder(issuer);
  const issued = await issueChosenKey(chosen, issuer);
  if (!issued) throw new CommandError('The key of --key or --seed is revoked in this data folder. Use another one.');
  return issued;
}

async function requireOwnFolder({ store }: Issuer): Promise<void> {
  const others = (await store.listKeys()).filter(({ name }) => name !== SEEDED_NAME);
  if (others.length === 0) return;
  throw new CommandError(
    '--seed creates a key that anyone can derive, and this data folder or database has other keys. Use a separate folder for the mock with --data.',
  );
}

/** Runs when a gateway that was a mock starts with real upstreams. */
export async function endSeededKeys({ store, now }: Issuer, log: Log): Promise<void> {
  const account = await store.findAccount(firstNames.accountName);
  const keys = account ? await store.listKeys(account.id) : [];
  for (const { id } of keys.filter(({ name, revokedAt }) => name === SEEDED_NAME && revokedAt === null)) {
    await store.revokeKey(id, { actor: 'system', action: 'key.revoke', target: id, details: {}, at: now() });
    log.warn({ keyId: id }, "revoked a key that was derived from a seed, because this gateway isn't a mock");
  }
}

interface SetupTokens {
  readonly console: string;
  readonly portal: string;
}

/** `firstKey`: the key that holds the portal's session. The console's gets a key of its own when it is used. */
export async function makeSetupTokens({ access, sessions }: Gateway, firstKey: string): Promise<SetupTokens | undefined> {
  const key = await access.store.findKey(hashKey(firstKey, access.pepper));
  if (key === undefined) return undefined;
  const parts = { store: sessions, pepper: access.pepper, now: Date.now };
  return {
    console: await issueSetupToken({ kind: 'console', keyId: null }, parts),
    portal: await issueSetupToken({ kind: 'portal', keyId: key.id }, parts),
  };
}
