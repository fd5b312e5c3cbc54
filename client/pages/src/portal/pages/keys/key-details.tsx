/** Details of a key beside the list: everything except the key itself, and its actions. */
import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { PortalContract } from '../../../../../../contract/portal/index.ts';
import type { Success } from '../../../data/contract-types.ts';
import { listMatchingModels } from '../../../data/model-patterns.ts';
import { Button } from '../../../kit/button.tsx';
import { KeyState } from '../../../kit/key-state.tsx';
import { Panel } from '../../../kit/panel.tsx';
import { CapMeters } from '../../../kit/spending-caps.tsx';
import { CopiedId, LastFour, Money, State, Time } from '../../../kit/values.tsx';
import { kit } from '../../../texts/kit.ts';
import { portalKeys as words } from '../../../texts/portal-keys.ts';
import { useRead } from '../../api.ts';

export type KeyRow = Success<PortalContract['listKeys']>['data'][number];

export interface KeyDetailsProps {
  readonly row: KeyRow;
  /** Returns the name of another key, or its ID. */
  readonly getName: (id: string) => string;
  readonly onDialog: (name: 'rotate' | 'revoke') => void;
  readonly onClose: () => void;
}

export function KeyDetails({ row, getName, onDialog, onClose }: KeyDetailsProps) {
  return (
    <Panel
      label={row.name}
      title={
        <>
          {row.name} <LastFour of={row.last_four} />
        </>
      }
      onClose={onClose}
    >
      <div className="row apart">
        <KeyState of={row} />
        {row.may_manage && row.state !== 'revoked' && (
          <span className="row">
            {row.replaced_by === null && <Button onClick={() => onDialog('rotate')}>{words.rotate}…</Button>}
            <Button onClick={() => onDialog('revoke')}>{words.revoke}…</Button>
          </span>
        )}
      </div>
      {!row.may_manage && !row.is_own && <p className="soft small">{words.notYours}</p>}
      <dl className="facts">
        {listFacts(row, getName).map(([label, value]) => (
          <Fragment key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
    </Panel>
  );
}

function listFacts(row: KeyRow, getName: KeyDetailsProps['getName']): readonly (readonly [label: string, value: ReactNode])[] {
  const { operations, models, may_store, manage_keys } = row.permissions;
  const { columns } = words;
  return [
    [
      columns.spent,
      <Fragment key="spent">
        <Money amount={row.use.charged_30d} isRounded /> <Link href={`/usage?range=30d&key=${row.id}`}>{words.usage}</Link>
      </Fragment>,
    ],
    [columns.used, <Time key="used" at={row.use.last_used_at} format="ago" />],
    [
      columns.cap,
      <Fragment key="cap">
        <CapMeters caps={row.use.spending_caps} />
        {row.created_by !== null && <p className="soft small">{words.sharedCaps}</p>}
      </Fragment>,
    ],
    [words.id, <CopiedId key="id" id={row.id} what={words.id} />],
    [columns.models, <Models key="models" of={models} />],
    [words.operations, operations?.join(', ') ?? words.all],
    [words.limits, formatLimits(row)],
    [words.addresses, row.ip_ranges?.join(', ') ?? words.anywhere],
    [words.canStore, may_store ? words.yes : words.no],
    [words.canManageKeys, manage_keys ? words.yes : words.no],
    [words.createdAt, <Time key="created" at={row.created_at} />],
    [columns.expires, row.expires_at === null ? words.never : <Time key="expires" at={row.expires_at} format="day" />],
    ...(row.created_by === null ? [] : [[words.createdBy, getName(row.created_by)] as const]),
    ...(row.replaced_by === null ? [] : [[words.replacedBy, getName(row.replaced_by)] as const]),
  ];
}

/** The patterns, and which of the models that they match fail now. */
function Models({ of }: { readonly of: readonly string[] | null }) {
  const models = useRead('listModels').data?.data ?? [];
  const failing = models.filter((model) => model.failing).map(({ id }) => id);
  const matching = listMatchingModels(of?.join() ?? '', failing);
  return (
    <>
      {of?.join(', ') ?? words.all}
      {matching.length > 0 && (
        <p>
          <State tone="bad">
            {kit.failingNow}: {matching.join(', ')}
          </State>
        </p>
      )}
    </>
  );
}

function formatLimits({ limits }: KeyRow): string {
  const { requests_per_minute: requests, tokens_per_minute: tokens, concurrency } = limits;
  const { limitNames: names } = words;
  const said = [
    requests && `${requests.limit} ${names.requests_per_minute}`,
    tokens && `${tokens.limit} ${names.tokens_per_minute}`,
    concurrency && `${concurrency.limit} ${names.concurrency}`,
  ];
  return said.filter((one) => one !== null).join(', ') || words.noLimits;
}
