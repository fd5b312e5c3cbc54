/** One key beside the list: everything about it but the key itself. */
import type { ReactNode } from 'react';
import type { AdminContract } from '../../../../../../contract/admin.ts';
import type { Success } from '../../../data/contract-types.ts';
import { Button, IconButton } from '../../../kit/button.tsx';
import { useKeys } from '../../../kit/keyboard.ts';
import { CopiedId, Money, State, Time } from '../../../kit/values.tsx';
import { keys as words } from '../../../texts/keys.ts';
import { kit } from '../../../texts/kit.ts';
import { toneOf } from './tones.ts';

export type KeyRow = Success<AdminContract['getKey']>;

export interface KeyDetailsProps {
  readonly row: KeyRow;
  readonly onRevoke: () => void;
  readonly onClose: () => void;
}

export function KeyDetails({ row, onRevoke, onClose }: KeyDetailsProps) {
  useKeys({ Escape: onClose });
  const { details, columns } = words;
  const facts: readonly (readonly [label: string, value: ReactNode])[] = [
    [details.id, <CopiedId key="id" id={row.id} what={details.id} />],
    [columns.account, row.account.name],
    [columns.models, row.permissions.models?.join(', ') ?? words.allModels],
    [columns.cap, <Cap key="cap" row={row} />],
    [details.limits, limitsOf(row)],
    [details.addresses, row.ip_ranges?.join(', ') ?? details.anywhere],
    [details.storing, row.permissions.may_store ? details.yes : details.no],
    [columns.created, <Time key="created" at={row.created_at} />],
    [columns.expires, <Time key="expires" at={row.expires_at} />],
    ...(row.replaced_by === null ? [] : [[details.replacedBy, <code key="replaced">{row.replaced_by}</code>] as const]),
  ];
  return (
    <aside className="panel card" aria-label={row.name}>
      <div className="row apart">
        <h2>{row.name}</h2>
        <IconButton label={kit.close} icon="close" onClick={onClose} />
      </div>
      <p className="row apart">
        <State tone={toneOf[row.state]}>{words.states[row.state]}</State>
        {row.state !== 'revoked' && <Button onClick={onRevoke}>{words.revoke}…</Button>}
      </p>
      <dl className="facts">
        {facts.map(([label, value]) => (
          <Fact key={label} label={label}>
            {value}
          </Fact>
        ))}
      </dl>
    </aside>
  );
}

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </>
);

function Cap({ row: { spending_cap: cap } }: { readonly row: KeyRow }) {
  if (cap === null) return <Money amount={null} />;
  return (
    <>
      <Money amount={cap.amount} /> · {words.periods[cap.period]}
    </>
  );
}

function limitsOf({ limits }: KeyRow): string {
  const { requests_per_minute, tokens_per_minute, concurrency } = limits;
  const set = Object.entries({ requests_per_minute, tokens_per_minute, concurrency } as const).flatMap(([name, rule]) =>
    // `as`: the names are those just written.
    rule === null ? [] : [`${rule.limit.toLocaleString()} ${words.limitNames[name as keyof typeof words.limitNames]} (${rule.mode})`],
  );
  return set.length === 0 ? words.noLimits : set.join(', ');
}
