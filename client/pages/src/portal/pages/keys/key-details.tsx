/** One key beside the list: everything about it but the key itself, and what can be done with it. */
import { Fragment, type ReactNode } from 'react';
import type { PortalContract } from '../../../../../../contract/portal/index.ts';
import type { Success } from '../../../data/contract-types.ts';
import { Button, IconButton } from '../../../kit/button.tsx';
import { useKeys } from '../../../kit/keyboard.ts';
import { CopiedId, LastFour, Money, State, Time, type Tone } from '../../../kit/values.tsx';
import { kit } from '../../../texts/kit.ts';
import { portalKeys as words } from '../../../texts/portal-keys.ts';

export type KeyRow = Success<PortalContract['listKeys']>['data'][number];
export const toneOf = { active: 'good', suspended: 'warn', expired: 'neutral', revoked: 'neutral' } as const satisfies Record<
  KeyRow['state'],
  Tone
>;

export interface KeyDetailsProps {
  readonly row: KeyRow;
  /** Name of another key, or its id. */
  readonly nameOf: (id: string) => string;
  readonly onDialog: (name: 'rotate' | 'revoke') => void;
  readonly onClose: () => void;
}

export function KeyDetails({ row, nameOf, onDialog, onClose }: KeyDetailsProps) {
  useKeys({ Escape: onClose });
  return (
    <aside className="panel card" aria-label={row.name}>
      <div className="row apart">
        <h2>
          {row.name} <LastFour of={row.last_four} />
        </h2>
        <IconButton label={kit.close} icon="close" onClick={onClose} />
      </div>
      <div className="row apart">
        <State tone={toneOf[row.state]}>{words.states[row.state]}</State>
        {row.may_manage && row.state !== 'revoked' && (
          <span className="row">
            {row.replaced_by === null && <Button onClick={() => onDialog('rotate')}>{words.rotate}…</Button>}
            <Button onClick={() => onDialog('revoke')}>{words.revoke}…</Button>
          </span>
        )}
      </div>
      {!row.may_manage && !row.is_own && <p className="soft small">{words.notYours}</p>}
      <dl className="facts">
        {factsOf(row, nameOf).map(([label, value]) => (
          <Fragment key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
    </aside>
  );
}

function factsOf(row: KeyRow, nameOf: KeyDetailsProps['nameOf']): readonly (readonly [label: string, value: ReactNode])[] {
  const { operations, models, may_store, manage_keys } = row.permissions;
  const { columns } = words;
  return [
    [words.id, <CopiedId key="id" id={row.id} what={words.id} />],
    [columns.models, models?.join(', ') ?? words.all],
    [words.operations, operations?.join(', ') ?? words.all],
    [columns.cap, <Cap key="cap" row={row} />],
    [words.limits, limitsOf(row)],
    [words.addresses, row.ip_ranges?.join(', ') ?? words.anywhere],
    [words.canStore, may_store ? words.yes : words.no],
    [words.canManageKeys, manage_keys ? words.yes : words.no],
    [words.createdAt, <Time key="created" at={row.created_at} />],
    [columns.expires, <Time key="expires" at={row.expires_at} />],
    ...(row.created_by === null ? [] : [[words.createdBy, nameOf(row.created_by)] as const]),
    ...(row.replaced_by === null ? [] : [[words.replacedBy, nameOf(row.replaced_by)] as const]),
  ];
}

function Cap({ row: { spending_cap: cap } }: { readonly row: KeyRow }) {
  if (cap === null) return <Money amount={null} />;
  return (
    <>
      <Money amount={cap.amount} /> {words.periods[cap.period]}
    </>
  );
}

function limitsOf({ limits }: KeyRow): string {
  const { requests_per_minute: requests, tokens_per_minute: tokens, concurrency } = limits;
  const { limitNames: names } = words;
  const said = [
    requests && `${requests.limit} ${names.requests_per_minute}`,
    tokens && `${tokens.limit} ${names.tokens_per_minute}`,
    concurrency && `${concurrency.limit} ${names.concurrency}`,
  ];
  return said.filter((one) => one !== null).join(', ') || words.noLimits;
}
