/** One account: its balance, spending, keys, months, ledger entries, and subscriptions. */
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { resolveSpan } from '../../../data/ranges.ts';
import { formatSpan } from '../../../data/times.ts';
import { text, useUrlState } from '../../../data/url-state.ts';
import { Button } from '../../../kit/button.tsx';
import { Crumbs } from '../../../kit/crumbs.tsx';
import { KeyState } from '../../../kit/key-state.tsx';
import { getFirstMonth, MonthList } from '../../../kit/monthly-statement.tsx';
import { CapMeters } from '../../../kit/spending-caps.tsx';
import { Empty, Failed, Loaded } from '../../../kit/states.tsx';
import { type Column, createMoneyColumn, Table } from '../../../kit/table.tsx';
import { showToast } from '../../../kit/toast.tsx';
import { UsageChart } from '../../../kit/usage-chart.tsx';
import { CopiedId, Figure, Figures, LastFour, Money, State, Time } from '../../../kit/values.tsx';
import { accounts as words } from '../../../texts/accounts.ts';
import { keys as keyWords } from '../../../texts/keys.ts';
import { kit } from '../../../texts/kit.ts';
import { limits as limitWords } from '../../../texts/limits.ts';
import { spendingCaps as capWords } from '../../../texts/spending-caps.ts';
import { monthly as statementWords } from '../../../texts/statement.ts';
import { useChange, useRead } from '../../api.ts';
import { type FactLine, Facts } from '../../parts/facts.tsx';
import { formatLimits } from '../../parts/limits.ts';
import { Segments } from '../../parts/segments.tsx';
import { accountPath, requestsPath } from '../../reads/links.ts';
import { CreateKey } from '../keys/create-key.tsx';
import type { KeyRow } from '../keys/key-details.tsx';
import { AccountDialogs } from './account-dialogs.tsx';
import { type AccountRow, accountTones, getState } from './account-row.ts';
import { Statement } from './statement.tsx';
import { Subscriptions } from './subscriptions.tsx';
import { tabFields, tabs } from './tabs.ts';

const fields = { ...tabFields, dialog: text } as const;

export function AccountPage({ id }: { readonly id: string }) {
  const read = useRead('getAccount', { params: { account_id: id } });
  return (
    <section className="stack wide">
      <Crumbs parents={[{ title: words.title, path: '/accounts' }]} here={read.data?.name ?? id} />
      <Loaded of={read} rows={8}>
        {(row) => <Account row={row} />}
      </Loaded>
    </section>
  );
}

function Account({ row }: { readonly row: AccountRow }) {
  const [{ tab, dialog }, set] = useUrlState(fields);
  const onDialog = (name: string) => set({ dialog: name });
  const close = () => set({ dialog: '' });
  const state = getState(row);
  return (
    <article className="stack wide" aria-label={row.name}>
      <div className="page-head">
        <div className="row">
          <h1>{row.name}</h1>
          <State tone={accountTones[state]}>{words.states[state]}</State>
        </div>
        <Actions row={row} onDialog={onDialog} />
      </div>
      <Balance row={row} />
      <Spend id={row.id} />
      <div className="columns">
        <div className="stack wide">
          <Keys id={row.id} onCreate={() => onDialog('create-key')} />
          <Months row={row} />
        </div>
        <section className="card stack" aria-label={words.tabsLabel}>
          <h2>{words.tabsLabel}</h2>
          <Facts lines={listFacts(row)} />
        </section>
      </div>
      <Segments
        label={words.listsLabel}
        value={tab}
        options={tabs.map((value) => ({ value, label: words.tabs[value] }))}
        onChange={(next) => set({ tab: next })}
      />
      {tab === 'statement' ? <Statement row={row} /> : <Subscriptions row={row} onCreate={() => onDialog('subscribe')} />}
      {dialog === 'create-key' ? (
        <CreateKey account={row.name} onClose={close} />
      ) : (
        <AccountDialogs row={row} dialog={dialog} onClose={close} />
      )}
    </article>
  );
}

interface ActionsProps {
  readonly row: AccountRow;
  readonly onDialog: (name: string) => void;
}
function Actions({ row, onDialog }: ActionsProps) {
  const { mutate, isPending, error } = useChange('editAccount', ['listAccounts', 'getAccount', 'listKeys']);
  const resume = () =>
    mutate({ params: { account_id: row.id }, body: { suspended: false } }, { onSuccess: () => showToast(words.resumed(row.name)) });
  const billing = row.balance === null ? words.details.billingOff : undefined;
  return (
    <span className="row">
      {row.suspended ? (
        <Button isBusy={isPending} onClick={resume}>
          {words.resume}
        </Button>
      ) : (
        <Button onClick={() => onDialog('suspend')}>{words.suspend}…</Button>
      )}
      <Button onClick={() => onDialog('edit')}>{words.edit}…</Button>
      <Button refusal={billing} onClick={() => onDialog('adjust')}>
        {words.adjust}…
      </Button>
      <Button kind="primary" refusal={billing} onClick={() => onDialog('top-up')}>
        {words.topUp}…
      </Button>
      {error && <Failed failure={error} title={kit.notSaved} />}
    </span>
  );
}

function Balance({ row: { balance, charged_30d: charged } }: { readonly row: AccountRow }) {
  const { details } = words;
  // Without a held amount, all of the balance is available.
  const isHeld = balance !== null && balance.held !== '0.000000';
  return (
    <Figures>
      <Figure label={details.available} note={balance === null ? details.billingOff : undefined}>
        <Money amount={balance?.available ?? null} isRounded />
      </Figure>
      {isHeld && (
        <>
          <Figure label={details.balance}>
            <Money amount={balance?.balance ?? null} isRounded />
          </Figure>
          <Figure label={details.held} note={details.heldNote}>
            <Money amount={balance?.held ?? null} isRounded />
          </Figure>
        </>
      )}
      <Figure label={details.spent} note={details.last30Days}>
        <Money amount={charged} isRounded />
      </Figure>
    </Figures>
  );
}

function Spend({ id }: { readonly id: string }) {
  const [{ from }] = useState(() => resolveSpan('30d', new Date()));
  const [, navigate] = useLocation();
  const query = { account_id: id, from: from.toISOString(), group_by: 'model', bucket: 'day' } as const;
  const activity = useRead('getActivity', { query });
  return (
    <Loaded of={activity} rows={6}>
      {(data) => (
        <UsageChart
          activity={data}
          title={words.spend}
          note={formatSpan(data)}
          getName={(model) => (model === '' ? statementWords.noModel : undefined)}
          getHref={(model) => `/activity?${new URLSearchParams({ account_id: id, model, range: '30d' })}`}
          onDay={(day) => navigate(requestsPath({ account_id: id, range: `${day}..${day}` }))}
        />
      )}
    </Loaded>
  );
}

/** The keys page lists more. */
const MOST_KEYS = 100;

const { columns: titles } = keyWords;
const keyColumns: readonly Column<KeyRow>[] = [
  {
    id: 'name',
    title: titles.name,
    isMain: true,
    cell: ({ name, last_four }) => (
      <>
        {name} <LastFour of={last_four} />
      </>
    ),
  },
  { id: 'cap', title: titles.cap, isMain: true, cell: ({ use }) => <CapMeters caps={use.spending_caps} /> },
  createMoneyColumn({ id: 'spent', title: titles.spent, isMain: true, of: ({ use }) => use.charged_30d }),
  { id: 'used', title: titles.used, isMain: true, cell: ({ use }) => <Time at={use.last_used_at} format="ago" /> },
  { id: 'state', title: titles.state, card: 'end', cell: (key) => <KeyState of={key} /> },
];

function Keys({ id, onCreate }: { readonly id: string; readonly onCreate: () => void }) {
  const list = useRead('listKeys', { query: { account_id: id, limit: MOST_KEYS } });
  const [, navigate] = useLocation();
  return (
    <section className="stack" aria-label={keyWords.title}>
      <div className="row apart">
        <h2>
          <Link href={`/keys?account=${encodeURIComponent(id)}`}>{keyWords.title}</Link>
        </h2>
        <Button icon="plus" onClick={onCreate}>
          {keyWords.create}
        </Button>
      </div>
      <Loaded of={list} rows={3}>
        {({ data, has_more }) => (
          <>
            {data.length === 0 ? (
              <Empty title={keyWords.emptyOfAccount} />
            ) : (
              <Table
                caption={keyWords.caption}
                columns={keyColumns}
                rows={data}
                getRowId={({ id: key }) => key}
                onOpen={({ id: key }) => navigate(`/keys?account=${encodeURIComponent(id)}&open=${encodeURIComponent(key)}`)}
              />
            )}
            {has_more && <p className="soft small">{words.firstKeys(data.length)}</p>}
          </>
        )}
      </Loaded>
    </section>
  );
}

function Months({ row: { id, created_at } }: { readonly row: AccountRow }) {
  const [from] = useState(() => getFirstMonth(new Date(), created_at));
  const read = useRead('getActivity', { query: { account_id: id, from, bucket: 'month' } });
  return (
    <Loaded of={read} rows={3}>
      {(data) => <MonthList activity={data} getHref={(month) => `${accountPath(id)}/${month}`} />}
    </Loaded>
  );
}

function listFacts(row: AccountRow): readonly FactLine[] {
  const { details } = words;
  return [
    [details.id, <CopiedId key="id" id={row.id} what={details.id} />],
    [
      details.group,
      <Link key="group" href={`/accounts?group=${encodeURIComponent(row.group)}`}>
        {row.group}
      </Link>,
    ],
    [details.limits, formatLimits(row.limits) ?? limitWords.usesDefaults],
    [capWords.title, <CapMeters key="caps" caps={row.spending_caps} />],
    [details.alertBelow, row.alert_below === null ? details.asConfigured : <Money key="alert" amount={row.alert_below} isRounded />],
    [details.created, <Time key="created" at={row.created_at} />],
    ...(row.suspended_at === null ? [] : [[details.suspendedAt, <Time key="suspended" at={row.suspended_at} />] as const]),
    [
      details.seeAlso,
      <span key="leads" className="row">
        <Link href={`/activity?account_id=${encodeURIComponent(row.id)}`}>{details.activity}</Link>
        <Link href={requestsPath({ account_id: row.id })}>{details.requests}</Link>
      </span>,
    ],
  ];
}
