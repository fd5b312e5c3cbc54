/** One call beside the list: how it ended, why it was refused, and its receipt. */
import type { ReactNode } from 'react';
import type { PortalContract } from '../../../../../../contract/portal/index.ts';
import type { Success } from '../../../data/contract-types.ts';
import { formatDuration } from '../../../data/times.ts';
import { IconButton } from '../../../kit/button.tsx';
import { useKeys } from '../../../kit/keyboard.ts';
import { Loaded } from '../../../kit/states.tsx';
import { CopiedId, State, Time } from '../../../kit/values.tsx';
import { kit } from '../../../texts/kit.ts';
import { usage } from '../../../texts/portal-usage.ts';
import { useRead } from '../../api.ts';
import { Outcome } from '../../calls-table.tsx';
import { ReceiptTable } from './receipt-table.tsx';

const { receipt: words, columns } = usage;
type Call = Success<PortalContract['getRequest']>;

export function CallDetails({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const read = useRead('getRequest', { params: { request_id: id } });
  useKeys({ Escape: onClose });
  return (
    <aside className="panel card" aria-label={words.of(id)}>
      <div className="row apart">
        <h2>{words.title}</h2>
        <IconButton label={kit.close} icon="close" onClick={onClose} />
      </div>
      <Loaded of={read} rows={8}>
        {(call) => (
          <>
            <Facts call={call} />
            {call.refusal && <Refused call={call} />}
            {call.receipt && <ReceiptTable receipt={call.receipt} entries={call.entries} />}
          </>
        )}
      </Loaded>
    </aside>
  );
}

function Facts({ call: { request_id: id, request, refusal, receipt } }: { readonly call: Call }) {
  const facts: readonly (readonly [label: string, value: ReactNode])[] = [
    [words.id, <CopiedId key="id" id={id} what={words.id} />],
    ...(request === null
      ? []
      : ([
          [usage.outcome, <Outcome key="outcome" row={request} />],
          [columns.at, <Time key="at" at={request.at} />],
          [columns.model, request.model ?? refusal?.model ?? kit.none],
          [words.operation, request.operation ?? kit.none],
          [words.total, formatDuration(request.total_ms)],
          ...(request.first_ms === null ? [] : [[words.firstEvent, formatDuration(request.first_ms)] as const]),
        ] as const)),
    ...(request === null && receipt !== null ? [[columns.model, receipt.model] as const] : []),
  ];
  return (
    <dl className="facts">
      {facts.map(([label, value]) => (
        <Fact key={label} label={label}>
          {value}
        </Fact>
      ))}
    </dl>
  );
}

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </>
);

const tones = { passed: 'good', refused: 'bad', not_reached: 'neutral' } as const;

function Refused({ call: { refusal, checks, request } }: { readonly call: Call }) {
  if (refusal === null) return null;
  return (
    <>
      <h3>{request?.outcome === 'failed' ? words.failed : words.refused}</h3>
      <p>{refusal.message}</p>
      <h3>{words.checks}</h3>
      <dl className="facts">
        {checks.map(({ rule, result, limit, remaining }) => (
          <Fact key={rule} label={rule}>
            <State tone={tones[result]}>{words.results[result]}</State>
            {limit !== null && remaining !== null && <span className="soft"> {words.of_limit(remaining, limit)}</span>}
          </Fact>
        ))}
      </dl>
    </>
  );
}

export type Entries = Call['entries'];
