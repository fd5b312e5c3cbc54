/** A process that looks for what is wrong, by a clock that the test holds, and the receiver that it tells. */

import { Alerts as AlertsSchema } from '../../../../server/config/schema-alerts.ts';
import { Alerts } from '../../../../server/records/alerts/alerts.ts';
import type { WatchedModel } from '../../../../server/records/alerts/outage-tracker.ts';
import { openLog } from '../../../../server/telemetry/log.ts';
import { type Receiver, receiverSecret } from '../../../fakes/webhook-receiver.ts';
import type { Stage } from './engines.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const noon = Date.UTC(2027, 0, 10, 12);

export const webhookOf = ({ url }: Receiver) => ({ name: 'ops', url, secret: receiverSecret });
/** Event, kind and subject of each message that came. */
export const heardBy = ({ came }: Receiver) => came.map(({ type, data }) => `${type} ${data.kind} ${data.subject}`);

export interface Surroundings {
  readonly clock: { now: number };
  readonly places: WatchedModel[];
  readonly logged: string[];
  /** Whether the process had calls. */
  readonly hasCalls?: boolean;
}
export const atNoon = (): Surroundings => ({ clock: { now: noon }, places: [], logged: [] });

/** `settings`: as `alerts` of the configuration. */
export function openProcess(
  stage: Pick<Stage, 'here' | 'activity'>,
  settings: object,
  { clock, places, logged, hasCalls = true }: Surroundings,
  publicUrl?: string,
) {
  return new Alerts({
    store: stage.here,
    read: stage.activity.ask,
    settings: () => AlertsSchema.parse(settings),
    publicUrl,
    places: () => places,
    hasLedger: true,
    isCalled: () => hasCalls,
    node: 'node_a',
    log: openLog({ log: { level: 'info' } }, { write: (line: string) => void logged.push(line) }),
    now: () => clock.now,
    random: () => 0,
    beatMs: null,
  });
}
