/** GET /overview: the state of the gateway in one response. */

import type { AdminContract } from '../../contract/admin/index.ts';
import type { Attention, NodeReport, Overview, OverviewQuery, overviewRanges, overviewRoutes } from '../../contract/admin/overview.ts';
import { countExpiring } from '../access/issue.ts';
import { countUnattended } from '../alerts/store.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import { formatDollars, shortDollars } from '../ledger/charge.ts';
import { type LiveNode, listNodes, SILENT_MS } from '../ledger/nodes.ts';
import { listLowBalances } from '../ledger/store.ts';
import type { UpstreamState } from '../upstreams/upstream.ts';
import { writeTime } from './csv.ts';
import type { Operations, PlaceState, RunningGateway } from './operations.ts';
import { readActivity, readOperatorActivity } from './usage.ts';

type Range = (typeof overviewRanges)[number];

const HOUR_MS = 3_600_000;
const lengths: Readonly<Record<Range, number>> = { '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 168 * HOUR_MS };
const MEBIBYTE = 1_048_576;

export function overviewHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof overviewRoutes> {
  return {
    getOverview: async ({ query, ok }) => ok(await readOverview(operations, query)),
  };
}

async function readOverview(operations: Operations, { range = '24h', ...span }: OverviewQuery): Promise<Overview> {
  const now = operations.now();
  const to = span.to === undefined ? now : Date.parse(span.to);
  const asked = span.from === undefined ? to - lengths[range] : Date.parse(span.from);
  const activity = await readOperatorActivity(operations, { from: writeTime(asked), to: writeTime(to) });
  const from = Date.parse(activity.from);
  const before = await readActivity(operations, { from: writeTime(from - (to - from)), to: writeTime(from), bucket: activity.bucket });
  const { reconciled } = activity;
  const others = await readOthers(operations);
  return {
    object: 'overview',
    activity,
    before: before.total,
    attention: await readAttention(operations, others, reconciled?.difference ?? null),
    nodes: await writeNodes(operations.gateway, others, now),
    ledger: reconciled && { sound: reconciled.difference === NOTHING, checked_until: reconciled.until },
  };
}

/** Always includes this process. */
async function writeNodes(gateway: RunningGateway | undefined, others: readonly OtherNode[], now: number): Promise<NodeReport[]> {
  const own = gateway ? [await reportOf(gateway, now)] : [];
  return [...own, ...others.map(writeOther)];
}

function writeOther({ id, seenAt, facts }: OtherNode): NodeReport {
  return {
    id,
    is_this: false,
    seen_at: writeTime(seenAt),
    version: facts?.version ?? null,
    started_at: facts && writeTime(facts.startedAt),
    loop_delay_ms: null,
    memory_mb: facts && Math.round(facts.memory / MEBIBYTE),
    open_streams: facts?.openStreams ?? null,
    waiting_charges: facts?.waitingCharges ?? null,
  };
}

async function reportOf(gateway: RunningGateway, now: number): Promise<NodeReport> {
  return {
    id: gateway.node,
    is_this: true,
    seen_at: writeTime(now),
    version: gateway.version,
    started_at: writeTime(gateway.startedAt),
    loop_delay_ms: await turnMs(),
    memory_mb: Math.round(gateway.memory() / MEBIBYTE),
    open_streams: gateway.openStreams(),
    waiting_charges: gateway.waitingCharges(),
  };
}

const TENTH = 10;

/** Measures one turn of the event loop. */
function turnMs(): Promise<number> {
  const begin = performance.now();
  return new Promise((resolve) => setImmediate(() => resolve(Math.round((performance.now() - begin) * TENTH) / TENTH)));
}

const DAY_MS = 86_400_000;
const SOON_MS = 7 * DAY_MS;
/** A difference of zero, in dollars. */
const NOTHING = '0.000000';
const MAX_ACCOUNTS = 20;

/** `difference` is the ledger total minus the request log total, in dollars. Null if they weren't compared. */
async function readAttention(operations: Operations, others: readonly OtherNode[], difference: string | null): Promise<Attention[]> {
  return [
    ...(await ofAlerts(operations)),
    ...ofUpstreams(operations, others),
    ...ofBooks(operations, others, difference),
    ...(await ofAccounts(operations)),
    ...(await ofKeys(operations)),
  ];
}

/** Returns one entry for all alerts that nobody takes care of, because there can be as many as accounts. */
async function ofAlerts({ activity, now }: Operations): Promise<Attention[]> {
  const open = await countUnattended(activity.ask, now());
  if (open === null) return [];
  const { count, since, message } = open;
  const text = count === 1 ? `An alert is open: ${message}` : `${count} alerts are open. The newest: ${message}`;
  return [{ kind: 'alerts_open', subject: null, since: writeTime(since), message: text }];
}

/** Lists a model that cools down in several processes once, with the state in this process, or else in the first of the others. */
function ofUpstreams({ gateway }: Operations, others: readonly OtherNode[]): Attention[] {
  const own =
    gateway
      ?.places()
      .filter(isCoolingDown)
      .map((place) => ({ ...place, process: null })) ?? [];
  const elsewhere = others.flatMap(({ id, facts }) =>
    (facts?.upstreams ?? []).flatMap(({ name, places }) => places.map((place) => ({ ...place, upstream: name, process: id }))),
  );
  const named = new Map<string, Attention>();
  for (const { upstream, upstreamModel, process, ...place } of [...own, ...elsewhere]) {
    const id = `${upstream} ${upstreamModel}`;
    const message = `${upstreamModel} at ${upstream} ${restText(place)}${process === null ? '' : ` Reported by process ${process}.`}`;
    if (!named.has(id)) named.set(id, { kind: 'upstream_unavailable', subject: upstream, since: null, message });
  }
  return [...named.values()];
}

function restText({ state, restMs }: Pick<PlaceState, 'state' | 'restMs'>): string {
  const seconds = Math.ceil(restMs / 1_000);
  const when = seconds > 0 ? `The next attempt is in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.` : 'A test call is in flight.';
  return `${state === 'closed' ? 'was rate limited.' : 'failed several times in a row.'} ${when}`;
}

function ofBooks({ gateway }: Operations, others: readonly OtherNode[], difference: string | null): Attention[] {
  const own = gateway ? [{ where: 'this process', waiting: gateway.waitingCharges() }] : [];
  const told = others.map(({ id, facts }) => ({ where: `process ${id}`, waiting: facts?.waitingCharges ?? null }));
  const found: Attention[] = [...own, ...told].flatMap(({ where, waiting }) => {
    if (waiting === null || waiting === 0) return [];
    const charges = waiting === 1 ? '1 charge is' : `${waiting} charges are`;
    const message = `${charges} pending on the disk of ${where}, because the database doesn't accept them.`;
    return [{ kind: 'charges_wait', subject: null, since: null, message }];
  });
  if (difference !== null && difference !== NOTHING) {
    const amount = difference.replace('-', '');
    const excess = difference === amount ? 'exceeds the request log total by' : 'is below the request log total by';
    const message = `The ledger total ${excess} $${amount}. Run "modelgate ledger reconcile", then "modelgate activity rebuild".`;
    found.push({ kind: 'ledger_mismatch', subject: null, since: null, message });
  }
  return found;
}

async function ofAccounts({ activity, ledger, now }: Operations): Promise<Attention[]> {
  if (!ledger) return [];
  const at = now();
  const low = await listLowBalances(activity.ask, { since: at - (at % DAY_MS) - DAY_MS, now: at, limit: MAX_ACCOUNTS });
  return low.map(({ accountId, name, available, spent }) => {
    const [left, used] = [available, spent].map((micros) => shortDollars(formatDollars(micros)));
    return {
      kind: 'account_low',
      subject: accountId,
      since: null,
      message: `Account ${name} has $${left} left and spent $${used} in the last day.`,
    };
  });
}

async function ofKeys({ activity, now }: Operations): Promise<Attention[]> {
  const at = now();
  const keys = await countExpiring(activity.ask, at, at + SOON_MS);
  if (keys === 0) return [];
  const message = keys === 1 ? '1 key expires within 7 days.' : `${keys} keys expire within 7 days.`;
  return [{ kind: 'keys_expire', subject: null, since: null, message }];
}

/** State of an upstream in one process. Keys and requests are null for a simulator. */
export interface ToldUpstream {
  readonly name: string;
  /** Models that are cooling down or being probed. All others are healthy. */
  readonly places: readonly Omit<PlaceState, 'upstream'>[];
  readonly state: UpstreamState | null;
}

interface NodeFacts {
  readonly format: typeof FORMAT;
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Bytes. */
  readonly memory: number;
  readonly openStreams: number;
  readonly waitingCharges: number | null;
  readonly upstreams: readonly ToldUpstream[];
}

export interface OtherNode extends Omit<LiveNode, 'report'> {
  /** Null if the process hasn't reported lately, or in a format that this version doesn't know. */
  readonly facts: NodeFacts | null;
}

const FORMAT = 1;
const MAX_BYTES = 16_384;

/** Adds upstreams in the order of the configuration until the report is full. */
export function writeNodeReport(gateway: RunningGateway, names: readonly string[]): string {
  const resting = gateway.places().filter(isCoolingDown);
  const facts: NodeFacts = {
    format: FORMAT,
    version: gateway.version,
    startedAt: gateway.startedAt,
    memory: gateway.memory(),
    openStreams: gateway.openStreams(),
    waitingCharges: gateway.waitingCharges(),
    upstreams: [],
  };
  const upstreams: ToldUpstream[] = [];
  let bytes = Buffer.byteLength(JSON.stringify(facts));
  for (const name of names) {
    const places = resting.filter(({ upstream }) => upstream === name).map(({ upstream: _, ...place }) => place);
    const told: ToldUpstream = { name, places, state: gateway.reportOf(name) ?? null };
    bytes += Buffer.byteLength(JSON.stringify(told)) + 1;
    if (bytes > MAX_BYTES) break;
    upstreams.push(told);
  }
  return JSON.stringify({ ...facts, upstreams });
}

const isCoolingDown = ({ state, restMs }: Pick<PlaceState, 'state' | 'restMs'>): boolean => state !== 'closed' || restMs > 0;

/** Returns all other processes on the same database, newest heartbeat first. Remaining cooldowns are counted from now. */
export async function readOthers({ activity, gateway, now }: Operations): Promise<readonly OtherNode[]> {
  const at = now();
  const nodes = await listNodes(activity.ask, at - SILENT_MS);
  return nodes.filter(({ id }) => id !== gateway?.node).map(({ report, ...node }) => ({ ...node, facts: report && read(report, at) }));
}

function read({ text, at }: NonNullable<LiveNode['report']>, now: number): NodeFacts | null {
  // `as`: written by this file, or by another version of it, which has another format number.
  const facts = JSON.parse(text) as NodeFacts;
  if (facts.format !== FORMAT) return null;
  const passed = Math.max(now - at, 0);
  const later = <Rest extends { readonly restMs: number }>(rest: Rest): Rest => ({ ...rest, restMs: Math.max(rest.restMs - passed, 0) });
  const upstreams = facts.upstreams.map(({ name, places, state }) => {
    return { name, places: places.map(later), state: state && { ...state, keys: state.keys.map(later) } };
  });
  return { ...facts, upstreams };
}
