/** A monthly statement: the balance before and after, payments, and usage by model. For screen, print, and CSV. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { getNextStart } from '../data/buckets.ts';
import type { Failure } from '../data/failure.ts';
import { readDollars, writeDollars } from '../data/money.ts';
import { monthly as words } from '../texts/statement.ts';
import { Button } from './button.tsx';
import type { StatementEntry } from './statement-table.tsx';
import { Empty, Loaded } from './states.tsx';
import { type Column, createMoneyColumn, Table } from './table.tsx';
import { Count, Money, sumInput } from './values.tsx';

/** Totals in the format of both APIs. */
interface Totals {
  readonly requests: number;
  readonly rejected: number;
  readonly tokens: { readonly input: number; readonly cached_input: number; readonly cache_write: number; readonly output: number };
  readonly images: number;
  readonly charged: string;
}
interface Activity {
  readonly from: string;
  readonly to: string;
  readonly series: readonly {
    readonly key: string | null;
    readonly label: string;
    readonly total: Totals;
    readonly points: readonly { readonly at: string; readonly charged: string }[];
  }[];
  readonly total: Totals;
}

/** `2026-11`: a month in UTC. */
export const isMonth = (text: string): boolean => /^\d{4}-(0[1-9]|1[0-2])$/.test(text);

/** ISO 8601: from inclusive, to exclusive. */
function getMonthSpan(month: string): { readonly from: string; readonly to: string } {
  const from = Date.parse(`${month}-01T00:00:00Z`);
  return { from: new Date(from).toISOString(), to: new Date(getNextStart('month', from)).toISOString() };
}

const isRunning = (month: string): boolean => Date.parse(getMonthSpan(month).to) > Date.now();

const monthName = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });
export const nameMonth = (month: string): string => monthName.format(new Date(`${month}-01T00:00:00Z`));

/** Always with the year, in UTC. */
const statementDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const formatStatementDay = (at: string): string => statementDay.format(new Date(at));

const MONTHS = 12;

/** The start of the month list: the account's first month if known, but at most a year ago. */
export function getFirstMonth(now: Date, since = '1970-01'): string {
  const oldest = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS + 1);
  return new Date(Math.max(Date.parse(`${since.slice(0, 7)}-01T00:00:00Z`), oldest)).toISOString();
}

export interface MonthListProps {
  /** Totals per month, in one series. */
  readonly activity: Activity;
  readonly getHref: (month: string) => string;
}
/** Months with calls, newest first, with their spend. */
export function MonthList({ activity, getHref }: MonthListProps) {
  const months = (activity.series[0]?.points ?? []).toReversed();
  return (
    <section className="card stack" aria-label={words.title}>
      <h2>{words.title}</h2>
      {months.length === 0 && <Empty title={words.none} />}
      <ul className="list">
        {months.map(({ at, charged }) => {
          const month = at.slice(0, 7);
          return (
            <li key={at} className="row apart">
              <Link href={getHref(month)}>{isRunning(month) ? words.toDate(nameMonth(month)) : nameMonth(month)}</Link>
              <Money amount={charged} isRounded />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

type Entries = UseQueryResult<{ readonly data: readonly StatementEntry[] }, Failure>;

/** Maximum page size. */
const MOST = 1_000;
const TOP = 100;

/** The queries of a statement, for both APIs. */
export interface MonthQueries {
  readonly activity: { from: string; to: string; group_by: 'model' | 'key'; bucket: 'month'; top: number };
  readonly entries: { from?: string; to: string; kind?: 'top_up' | 'refund' | 'correction'; limit: number };
}

export interface MonthProps {
  readonly account: { readonly id: string; readonly name: string };
  readonly month: string;
  /** Whether the account has a balance. */
  readonly isBilled: boolean;
  /** Issuer of the statement. Null if the configuration names none. */
  readonly issuer: string | null;
  readonly keys: readonly { readonly id: string; readonly name: string; readonly last_four: string }[] | undefined;
  /** The reads of the account; entries only where it has a balance. */
  readonly useActivity: (query: MonthQueries['activity']) => UseQueryResult<Activity, Failure>;
  readonly useEntries: (query: MonthQueries['entries']) => Entries;
}
export function Month({ account, month, isBilled, issuer, keys, useActivity, useEntries }: MonthProps) {
  const { from, to } = getMonthSpan(month);
  const common = { from, to, bucket: 'month', top: TOP } as const;
  const byModel = useActivity({ ...common, group_by: 'model' });
  const byKey = useActivity({ ...common, group_by: 'key' });
  const before = useEntries({ to: from, limit: 1 });
  const last = useEntries({ to, limit: 1 });
  const topUps = useEntries({ from, to, kind: 'top_up', limit: MOST });
  const refunds = useEntries({ from, to, kind: 'refund', limit: MOST });
  const corrections = useEntries({ from, to, kind: 'correction', limit: MOST });
  const payments = [topUps, refunds, corrections];
  const waiting = isBilled ? [before, last, ...payments].find(({ error, data }) => error !== null || data === undefined) : undefined;
  if (waiting) return <Loaded of={waiting}>{() => null}</Loaded>;
  return (
    <Loaded of={byModel} rows={8}>
      {(activity) => (
        <MonthlyStatement
          account={account.name}
          month={month}
          number={getStatementNumber(account.id, month)}
          issuer={issuer}
          activity={activity}
          keys={byKey.data && nameSeries(byKey.data, keys)}
          before={before.data?.data[0]}
          last={last.data?.data[0]}
          payments={payments.flatMap((read) => read.data?.data ?? [])}
        />
      )}
    </Loaded>
  );
}

/** The statement number, which is unique per account and month: `202611-0aB3dE5gH7jK9mN1p`. */
const getStatementNumber = (accountId: string, month: string): string => `${month.replace('-', '')}-${accountId.replace(/^acct_/, '')}`;

const nameSeries = (activity: Activity, keys: MonthProps['keys']): Activity => ({
  ...activity,
  series: activity.series.map((one) => {
    const key = keys?.find(({ id }) => id === one.key);
    return key ? { ...one, label: `${key.name} …${key.last_four}` } : one;
  }),
});

interface MonthlyStatementProps {
  readonly account: string;
  readonly month: string;
  readonly number: string;
  readonly issuer: string | null;
  /** Of the month, by model. */
  readonly activity: Activity;
  /** By key, with their names. */
  readonly keys: Activity | undefined;
  /** The newest entry before the month, and the newest before the month ends. Undefined without one. */
  readonly before: StatementEntry | undefined;
  readonly last: StatementEntry | undefined;
  /** Top-ups, refunds and corrections of the month. */
  readonly payments: readonly StatementEntry[];
}

const toMicros = (amount: string | undefined): bigint => readDollars(amount ?? '0') ?? 0n;

function MonthlyStatement(props: MonthlyStatementProps) {
  const { account, month, activity, keys, before, last, payments } = props;
  const opening = toMicros(before?.balance_after);
  const closing = last === undefined ? opening : toMicros(last.balance_after);
  const paid = payments.reduce((sum, { amount }) => sum + toMicros(amount), 0n);
  const used = toMicros(activity.total.charged);
  // The part that the balance didn't pay this month: a subscription did, or the charge was posted in another month.
  const elsewhere = opening + paid - used - closing;
  return (
    <article className="statement stack wide" aria-label={words.of(nameMonth(month))}>
      <div className="page-head">
        <h1>{words.of(nameMonth(month))}</h1>
        <div className="row">
          <a className="button plain" href={formatCsv(props)} download={`${account}-${month}.csv`}>
            {words.csv}
          </a>
          <Button icon="print" onClick={() => print()}>
            {words.print}
          </Button>
        </div>
      </div>
      <Origin {...props} />
      <section className="card" aria-label={words.balance}>
        <table className="table plain">
          <caption className="hidden">{words.balance}</caption>
          <tbody>
            <Line label={words.opening} amount={opening} />
            {payments.toSorted(compareOldestFirst).map((entry) => (
              <Line
                key={entry.id}
                label={`${words.kinds[entry.kind]}, ${formatStatementDay(entry.at)}${entry.note ? `: ${entry.note}` : ''}`}
                amount={toMicros(entry.amount)}
              />
            ))}
            <Line label={words.usage} amount={-used} />
            {elsewhere !== 0n && <Line label={words.elsewhere} amount={-elsewhere} />}
          </tbody>
          <tfoot>
            <Line label={words.closing} amount={closing} />
          </tfoot>
        </table>
      </section>
      <h2>{words.byModel}</h2>
      <p className="soft small">{words.rejectedNote}</p>
      {activity.series.length === 0 ? (
        <Empty title={words.noUsage} />
      ) : (
        <Sums of={activity} caption={words.byModel} name={words.columns.model} />
      )}
      {keys && keys.series.length > 0 && (
        <>
          <h2>{words.byKey}</h2>
          <Sums of={keys} caption={words.byKey} name={words.key} />
        </>
      )}
    </article>
  );
}

function Origin({ account, month, number, issuer, activity }: MonthlyStatementProps) {
  const { facts } = words;
  const period = words.period(formatStatementDay(activity.from), formatStatementDay(getLastDay(month)));
  return (
    <dl className="facts">
      <Fact name={facts.number}>
        <code>{number}</code>
      </Fact>
      {issuer !== null && <Fact name={facts.issuer}>{issuer}</Fact>}
      <Fact name={facts.account}>{account}</Fact>
      <Fact name={facts.period}>{isRunning(month) ? `${period} (${words.unfinished})` : period}</Fact>
      <Fact name={facts.created}>{formatStatementDay(isRunning(month) ? new Date().toISOString() : getMonthSpan(month).to)}</Fact>
    </dl>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

const compareOldestFirst = (one: StatementEntry, other: StatementEntry): number => Date.parse(one.at) - Date.parse(other.at);

const Line = ({ label, amount }: { readonly label: string; readonly amount: bigint }) => (
  <tr>
    <th scope="row">{label}</th>
    <td className="at-right">
      <Money amount={amount} decimals={6} />
    </td>
  </tr>
);

/** Rejected calls cost nothing, so statements omit them. */
const countServed = ({ requests, rejected }: Totals): number => requests - rejected;
const listServed = ({ series }: Activity) => series.filter(({ total }) => countServed(total) > 0 || toMicros(total.charged) !== 0n);
const formatName = ({ key, label }: Activity['series'][number]): string => (key === '' ? words.noModel : label);

interface SumRow {
  readonly id: string;
  readonly name: string;
  readonly total: Totals;
}

const { columns: titles } = words;
const createSumColumns = (name: string): readonly Column<SumRow>[] => [
  { id: 'name', title: name, isMain: true, cell: (row) => row.name },
  { id: 'requests', title: titles.requests, isNumber: true, isMain: true, cell: ({ total }) => <Count of={countServed(total)} /> },
  { id: 'input', title: titles.input, isNumber: true, isMain: true, cell: ({ total }) => <Count of={sumInput(total.tokens)} /> },
  { id: 'output', title: titles.output, isNumber: true, isMain: true, cell: ({ total }) => <Count of={total.tokens.output} /> },
  {
    id: 'images',
    title: titles.images,
    isNumber: true,
    cell: ({ total }) => <Count of={total.images} />,
    isEmpty: ({ total }) => total.images === 0,
  },
  createMoneyColumn({ id: 'charged', title: titles.charged, isMain: true, isExact: true, of: ({ total }) => total.charged }),
];

interface SumsProps {
  readonly of: Activity;
  readonly caption: string;
  /** Title of the rows. */
  readonly name: string;
}
function Sums({ of, caption, name }: SumsProps) {
  const rows = listServed(of).map((one): SumRow => ({ id: one.key ?? one.label, name: formatName(one), total: one.total }));
  const sum = { id: '', name: words.total, total: of.total };
  return <Table caption={caption} columns={createSumColumns(name)} rows={[...rows, sum]} getRowId={({ id }) => id} hasTotal />;
}

const getLastDay = (month: string): string => new Date(Date.parse(getMonthSpan(month).to) - 1).toISOString().slice(0, 10);

/** One row per model. Amounts are in dollars with all decimals. */
function formatCsv({ account, month, activity }: MonthlyStatementProps): string {
  const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const lines = listServed(activity).map((one) => {
    const { tokens, images, charged } = one.total;
    return [
      quote(account),
      month,
      quote(formatName(one)),
      ...[countServed(one.total), tokens.input, tokens.cached_input, tokens.cache_write, tokens.output, images],
      writeDollars(toMicros(charged)),
    ].join(',');
  });
  const headings = 'account,month,model,requests,input_tokens,cached_input_tokens,cache_write_tokens,output_tokens,images,charged';
  return `data:text/csv;charset=utf-8,${encodeURIComponent(`${[headings, ...lines].join('\r\n')}\r\n`)}`;
}
