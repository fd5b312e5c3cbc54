/** GET /overview: how the gateway is doing, in one answer. */
import type { NodeReport, Overview, OverviewQuery, overviewRanges, overviewRoutes } from '../../contract/admin/overview.ts';
import type { AdminContract } from '../../contract/admin.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import { readActivity, readOperatorActivity } from './activity.ts';
import { NOTHING, readAttention } from './attention.ts';
import { type OtherNode, readOthers } from './node-report.ts';
import type { Operations } from './operations.ts';
import type { RunningGateway } from './running.ts';
import { writeTime } from './values.ts';

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

/** This process is always among them. */
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

/** The time of one turn of the event loop. */
function turnMs(): Promise<number> {
  const begin = performance.now();
  return new Promise((resolve) => setImmediate(() => resolve(Math.round((performance.now() - begin) * TENTH) / TENTH)));
}
