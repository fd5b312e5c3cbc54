/** Details of a key beside the list: everything except the key itself, its actions, and its permissions. */
import { Link } from 'wouter';
import type { AdminContract } from '../../../../../../contract/admin/index.ts';
import type { Success } from '../../../data/contract-types.ts';
import { Button } from '../../../kit/button.tsx';
import { KeyState } from '../../../kit/key-state.tsx';
import { Panel } from '../../../kit/panel.tsx';
import { CapMeters } from '../../../kit/spending-caps.tsx';
import { CopiedId, LastFour, Money, ShortNames, Time } from '../../../kit/values.tsx';
import { keys as words } from '../../../texts/keys.ts';
import { limits as limitWords } from '../../../texts/limits.ts';
import { type FactLine, Facts } from '../../parts/facts.tsx';
import { formatLimits } from '../../parts/limits.ts';
import { accountPath, keyPath, requestsPath } from '../../reads/links.ts';
import { formatKeyName } from '../../reads/names.ts';
import { KeyAccess } from './key-access.tsx';

export type KeyRow = Success<AdminContract['getKey']>;

export interface KeyDetailsProps {
  readonly row: KeyRow;
  readonly onDialog: (name: string) => void;
  readonly onClose: () => void;
}

export function KeyDetails({ row, onDialog, onClose }: KeyDetailsProps) {
  return (
    <Panel label={row.name} title={formatKeyName(row)} onClose={onClose}>
      <div className="row apart">
        <KeyState of={row} />
        {row.state !== 'revoked' && (
          <span className="row">
            <Button onClick={() => onDialog('rotate')}>{words.rotate}…</Button>
            <Button onClick={() => onDialog('edit')}>{words.edit}…</Button>
            <Button onClick={() => onDialog('revoke')}>{words.revoke}…</Button>
          </span>
        )}
      </div>
      <Facts lines={listFacts(row)} />
      <KeyAccess keyId={row.id} />
    </Panel>
  );
}

function listFacts(row: KeyRow): readonly FactLine[] {
  const { details, columns } = words;
  const { operations, models, may_store, manage_keys } = row.permissions;
  return [
    [columns.key, <LastFour key="key" of={row.last_four} />],
    [details.id, <CopiedId key="id" id={row.id} what={details.id} />],
    [
      columns.account,
      <Link key="account" href={accountPath(row.account.id)}>
        {row.account.name}
      </Link>,
    ],
    [columns.models, models === null ? words.allModels : <ShortNames key="models" of={models} />],
    [words.operations, operations?.map((name) => words.operationNames[name]).join(', ') ?? words.allModels],
    [columns.cap, <CapMeters key="cap" caps={row.use.spending_caps} />],
    [columns.spent, <Money key="spent" amount={row.use.charged_30d} isRounded />],
    [columns.used, <Time key="used" at={row.use.last_used_at} format="ago" />],
    [details.limits, formatLimits(row.limits) ?? limitWords.usesDefaults],
    [details.addresses, row.ip_ranges?.join(', ') ?? details.anywhere],
    [details.canStore, may_store ? details.yes : details.no],
    [details.canManageKeys, manage_keys ? details.yes : details.no],
    ...(row.created_by === null ? [] : [[details.createdBy, <KeyLink key="made" id={row.created_by} />] as const]),
    [columns.created, <Time key="created" at={row.created_at} />],
    [columns.expires, <Time key="expires" at={row.expires_at} />],
    ...(row.revoked_at === null ? [] : [[details.revokedAt, <Time key="revoked" at={row.revoked_at} />] as const]),
    ...(row.replaced_by === null ? [] : [[details.replacedBy, <KeyLink key="replaced" id={row.replaced_by} />] as const]),
    [
      details.seeAlso,
      <Link key="requests" href={requestsPath({ key_id: row.id })}>
        {details.requests}
      </Link>,
    ],
  ];
}

const KeyLink = ({ id }: { readonly id: string }) => <Link href={keyPath(id)}>{id}</Link>;
