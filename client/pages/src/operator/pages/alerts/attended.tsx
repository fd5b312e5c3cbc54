/** Who handles an alert: its state in words, and the buttons that acknowledge or snooze it. */
import type { Alert } from '../../../../../../contract/admin/alerts.ts';
import { Button } from '../../../kit/button.tsx';
import { Menu } from '../../../kit/menu.tsx';
import { State, Time } from '../../../kit/values.tsx';
import { alerts as words } from '../../../texts/alerts.ts';
import { getActorName } from '../audit/entry.ts';

type AlertState = keyof typeof words.states;

/** An alert counts as open again after its snooze. */
export function getState({ resolved_at: resolved, acknowledged_at: acknowledged, snoozed_until: until }: Alert): AlertState {
  if (resolved !== null) return 'resolved';
  if (acknowledged === null || (until !== null && Date.parse(until) <= Date.now())) return 'open';
  return until === null ? 'acknowledged' : 'snoozed';
}

const tones = { open: 'bad', acknowledged: 'warn', snoozed: 'warn', resolved: 'neutral' } as const;

export function AlertStatus({ of: alert }: { readonly of: Alert }) {
  const state = getState(alert);
  const by = alert.acknowledged_by === null ? null : words.by(getActorName(alert.acknowledged_by, alert.acknowledged_by_name));
  return (
    <span className="stack">
      {/* In a cell on a narrow screen, it's right-aligned. */}
      <span>
        <State tone={tones[state]}>{words.states[state]}</State>
      </span>
      {state === 'resolved' && <Time at={alert.resolved_at} />}
      {state === 'acknowledged' && (
        <span className="soft small">
          {by}, <Time at={alert.acknowledged_at} format="ago" />
        </span>
      )}
      {state === 'snoozed' && (
        <span className="soft small">
          {words.until} <Time at={alert.snoozed_until} />, {by}
        </span>
      )}
    </span>
  );
}

const HOUR = 3_600;
const lengths = [
  { label: words.hours(1), seconds: HOUR },
  { label: words.hours(8), seconds: 8 * HOUR },
  { label: words.days(3), seconds: 72 * HOUR },
];

export interface AttendProps {
  readonly alert: Alert;
  readonly isBusy: boolean;
  /** Why this operator can't acknowledge or snooze alerts. */
  readonly refusal: string | undefined;
  /** Omit seconds to acknowledge until it resolves. */
  readonly acknowledge: (alert: Alert, snoozeSeconds?: number) => void;
}
export function AlertActions({ alert, isBusy, refusal, acknowledge }: AttendProps) {
  const state = getState(alert);
  if (state === 'resolved') return null;
  const subject = alert.name ?? alert.subject ?? words.kinds[alert.kind];
  const snooze = words.snoozeNamed(subject);
  return (
    <span className="row one-line">
      {state !== 'acknowledged' && (
        <Button aria-label={words.acknowledgeNamed(subject)} isBusy={isBusy} refusal={refusal} onClick={() => acknowledge(alert)}>
          {words.acknowledge}
        </Button>
      )}
      {refusal === undefined ? (
        <Menu
          label={snooze}
          icon="clock"
          choices={lengths.map(({ label, seconds }) => ({ label, onChoose: () => acknowledge(alert, seconds) }))}
        >
          {words.snooze}
        </Menu>
      ) : (
        <Button kind="quiet" icon="clock" aria-label={snooze} refusal={refusal}>
          {words.snooze}
        </Button>
      )}
    </span>
  );
}
