/** Admin API handler for GET /overview: the state of the gateway in one response. */

import type { AdminContract } from '../../../contract/admin/index.ts';
import type { NodeReport, Overview, OverviewQuery, overviewRanges, overviewRoutes } from '../../../contract/admin/overview.ts';
import { countAcknowledged } from '../../records/alerts/list-alerts.ts';
import type { ContractHandlers } from '../http/ts-rest.ts';
import { queryActivity, queryOperatorActivity } from './activity.ts';
import { collectAttention, ZERO_DOLLARS } from './attention.ts';
import { listOtherNodes, type OtherNode } from './node-report.ts';
import type { Operations } from './operations.ts';
import type { RunningGateway } from './running-gateway.ts';
import { writeTime } from './times.ts';

type Range = (typeof overviewRanges)[number];

const HOUR_MS = 3_600_000;
const rangeMs: Readonly<Record<Range, number>> = { '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 168 * HOUR_MS };
const MEBIBYTE = 1_048_576;

export function createOverviewHandlers(operations: Operations): ContractHandlers<AdminContract, keyof typeof overviewRoutes> {
  return {
    getOverview: async ({ query, ok }) => ok(await buildOverview(operations, query)),
  };
}

async function buildOverview(operations: Operations, { range = '24h', ...period }: OverviewQuery): Promise<Overview> {
  const now = operations.now();
  const to = period.to === undefined ? now : Date.parse(period.to);
  const start = period.from === undefined ? to - rangeMs[range] : Date.parse(period.from);
  const activity = await queryOperatorActivity(operations, { from: writeTime(start), to: writeTime(to) });
  const from = Date.parse(activity.from);
  const previousActivity = await queryActivity(operations, {
    from: writeTime(from - (to - from)),
    to: writeTime(from),
    bucket: activity.bucket,
  });
  const { reconciled } = activity;
  const others = await listOtherNodes(operations);
  return {
    object: 'overview',
    activity,
    before: previousActivity.total,
    attention: await collectAttention(operations, others, reconciled?.difference ?? null),
    acknowledged_alerts: await countAcknowledged(operations.activity.ask, now),
    nodes: await writeNodes(operations.gateway, others, now),
    ledger: reconciled && { is_consistent: reconciled.difference === ZERO_DOLLARS, checked_until: reconciled.until },
  };
}

/** Always includes this process, if it runs a gateway. */
async function writeNodes(gateway: RunningGateway | undefined, others: readonly OtherNode[], now: number): Promise<NodeReport[]> {
  const ownReports = gateway ? [await createOwnNodeReport(gateway, now)] : [];
  return [...ownReports, ...others.map(writeOtherNode)];
}

function writeOtherNode({ id, seenAt, facts }: OtherNode): NodeReport {
  return {
    id,
    is_current: false,
    seen_at: writeTime(seenAt),
    version: facts?.version ?? null,
    started_at: facts && writeTime(facts.startedAt),
    loop_delay_ms: null,
    memory_mb: facts && Math.round(facts.memory / MEBIBYTE),
    open_streams: facts?.openStreams ?? null,
    waiting_charges: facts?.waitingCharges ?? null,
  };
}

async function createOwnNodeReport(gateway: RunningGateway, now: number): Promise<NodeReport> {
  return {
    id: gateway.node,
    is_current: true,
    seen_at: writeTime(now),
    version: gateway.version,
    started_at: writeTime(gateway.startedAt),
    loop_delay_ms: await getLoopDelayMs(),
    memory_mb: Math.round(gateway.memory() / MEBIBYTE),
    open_streams: gateway.openStreams(),
    waiting_charges: gateway.waitingCharges(),
  };
}

const TENTHS_PER_MS = 10;

/** Measures one turn of the event loop. */
function getLoopDelayMs(): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve) => setImmediate(() => resolve(Math.round((performance.now() - startedAt) * TENTHS_PER_MS) / TENTHS_PER_MS)));
}
