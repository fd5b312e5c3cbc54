/** One account beside the list: money, facts, what can be done, its statement and its subscriptions. */
import { Link } from 'wouter';
import { useUrlState } from '../../../data/url-state.ts';
import { Button, IconButton } from '../../../kit/button.tsx';
import { useKeys } from '../../../kit/keyboard.ts';
import { Failed } from '../../../kit/states.tsx';
import { showToast } from '../../../kit/toast.tsx';
import { CopiedId, Figure, Money, State, Time } from '../../../kit/values.tsx';
import { accounts as words } from '../../../texts/accounts.ts';
import { kit } from '../../../texts/kit.ts';
import { limits as limitWords } from '../../../texts/limits.ts';
import { useChange } from '../../api.ts';
import { type FactLine, Facts } from '../../parts/facts.tsx';
import { limitsText } from '../../parts/limits.ts';
import { Segments } from '../../parts/segments.tsx';
import { type AccountRow, stateOf, toneOf } from './account-row.ts';
import { Statement } from './statement.tsx';
import { Subscriptions } from './subscriptions.tsx';
import { tabFields, tabs } from './tabs.ts';

export interface AccountDetailsProps {
  readonly row: AccountRow;
  readonly onDialog: (name: string) => void;
  readonly onClose: () => void;
}
export function AccountDetails({ row, onDialog, onClose }: AccountDetailsProps) {
  useKeys({ Escape: onClose });
  const [{ tab }, set] = useUrlState(tabFields);
  const state = stateOf(row);
  return (
    <aside className="panel card" aria-label={row.name}>
      <div className="row apart">
        <h2>{row.name}</h2>
        <IconButton label={kit.close} icon="close" onClick={onClose} />
      </div>
      <div className="row apart">
        <State tone={toneOf[state]}>{words.states[state]}</State>
        <Actions row={row} onDialog={onDialog} />
      </div>
      <Balance row={row} />
      <Facts lines={factsOf(row)} />
      <Segments
        label={words.tabsLabel}
        value={tab}
        options={tabs.map((value) => ({ value, label: words.tabs[value] }))}
        onChange={(next) => set({ tab: next })}
      />
      {tab === 'statement' ? <Statement row={row} /> : <Subscriptions row={row} onCreate={() => onDialog('subscribe')} />}
    </aside>
  );
}

function Actions({ row, onDialog }: Pick<AccountDetailsProps, 'row' | 'onDialog'>) {
  const { mutate, isPending, error } = useChange('editAccount', ['listAccounts', 'getAccount', 'listKeys']);
  const resume = () =>
    mutate({ params: { account_id: row.id }, body: { suspended: false } }, { onSuccess: () => showToast(words.resumed(row.name)) });
  const billing = row.balance === null ? words.details.billingOff : undefined;
  return (
    <span className="row">
      <Button kind="primary" refusal={billing} onClick={() => onDialog('top-up')}>
        {words.topUp}…
      </Button>
      <Button refusal={billing} onClick={() => onDialog('adjust')}>
        {words.adjust}…
      </Button>
      <Button onClick={() => onDialog('edit')}>{words.edit}…</Button>
      {row.suspended ? (
        <Button isBusy={isPending} onClick={resume}>
          {words.resume}
        </Button>
      ) : (
        <Button onClick={() => onDialog('suspend')}>{words.suspend}…</Button>
      )}
      {error && <Failed failure={error} title={kit.notSaved} />}
    </span>
  );
}

function Balance({ row: { balance } }: { readonly row: AccountRow }) {
  if (balance === null) return <p className="soft">{words.details.billingOff}</p>;
  return (
    <dl className="figures">
      <Figure label={words.details.available}>
        <Money amount={balance.available} isRounded />
      </Figure>
      <Figure label={words.details.balance}>
        <Money amount={balance.balance} isRounded />
      </Figure>
      <Figure label={words.details.held} note={words.details.heldNote}>
        <Money amount={balance.held} isRounded />
      </Figure>
    </dl>
  );
}

function factsOf(row: AccountRow): readonly FactLine[] {
  const { details } = words;
  const query = encodeURIComponent(row.id);
  return [
    [details.id, <CopiedId key="id" id={row.id} what={details.id} />],
    [
      details.group,
      <Link key="group" href={`/accounts?group=${encodeURIComponent(row.group)}&open=${query}`}>
        {row.group}
      </Link>,
    ],
    [details.limits, limitsText(row.limits) ?? limitWords.usesDefaults],
    [details.alertBelow, row.alert_below === null ? details.asConfigured : <Money key="alert" amount={row.alert_below} isRounded />],
    [details.created, <Time key="created" at={row.created_at} />],
    ...(row.suspended_at === null ? [] : [[details.suspendedAt, <Time key="suspended" at={row.suspended_at} />] as const]),
    [
      details.seeAlso,
      <span key="leads" className="row">
        <Link href={`/keys?account=${query}`}>{details.keys}</Link>
        <Link href={`/requests?account=${query}`}>{details.requests}</Link>
      </span>,
    ],
  ];
}
