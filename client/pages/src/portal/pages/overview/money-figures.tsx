/** Key figures of the portal's overview: balance, today, plan, and key. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { PortalContract } from '../../../../../../contract/portal/index.ts';
import type { Success } from '../../../data/contract-types.ts';
import { formatCents, readDollars } from '../../../data/money.ts';
import { Icon } from '../../../kit/icon.tsx';
import { getCapUse } from '../../../kit/spending-caps.tsx';
import { Figure, Figures, LastFour, Meter, Money, Time } from '../../../kit/values.tsx';
import { overview as words } from '../../../texts/portal-overview.ts';
import { spendingCaps as capWords } from '../../../texts/spending-caps.ts';
import type { Activity } from '../../api.ts';

type Session = Success<PortalContract['getSession']>;

export interface MoneyFiguresProps {
  readonly session: Session;
  /** Totals per day. Undefined while loading. */
  readonly activity: Activity | undefined;
  /** URL of the usage of a range. */
  readonly getHref: (range: string) => string;
}

const toCents = (amount: string): string => formatCents(readDollars(amount) ?? 0n);

export function MoneyFigures({ session, activity, getHref }: MoneyFiguresProps) {
  const { balance, subscription } = session;
  const isEmpty = balance !== null && subscription === null && (readDollars(balance.available) ?? 0n) <= 0n;
  return (
    <>
      <Figures>
        <Figure label={words.available} note={<AccountNote session={session} />}>
          <Money amount={balance?.available ?? null} isRounded />
        </Figure>
        <Today activity={activity} getHref={getHref} />
        <Plan subscription={subscription} />
        <Key session={session} />
      </Figures>
      {isEmpty && (
        <p className="row notice warn">
          <Icon name="warning" />
          {words.balanceEmpty}
        </p>
      )}
    </>
  );
}

function AccountNote({ session }: { readonly session: Session }) {
  return (
    <span className="cap-bars">
      {formatHeld(session)}
      <CapsLeft caps={session.spending_caps.filter(({ scope }) => scope === 'account')} />
    </span>
  );
}

function formatHeld({ balance }: Session): ReactNode {
  if (balance === null) return words.noBilling;
  return (readDollars(balance.held) ?? 0n) > 0n ? words.held(toCents(balance.held)) : undefined;
}

function Today({ activity, getHref }: Pick<MoneyFiguresProps, 'activity' | 'getHref'>) {
  const day = new Date().toISOString().slice(0, 10);
  const points = (activity?.series ?? []).flatMap(({ points }) => points.filter(({ at }) => at.startsWith(day)));
  const spent = points.reduce((sum, { charged }) => sum + (readDollars(charged) ?? 0n), 0n);
  const requests = points.reduce((sum, point) => sum + point.requests, 0);
  return (
    <Figure label={words.today} note={words.todayNote(requests)}>
      <Link href={getHref(`${day}..${day}`)}>
        <Money amount={spent} isRounded />
      </Link>
    </Figure>
  );
}

function Plan({ subscription }: Pick<Session, 'subscription'>) {
  if (subscription === null)
    return (
      <Figure label={words.plan} note={words.paidFromBalance}>
        <Money amount={null} />
      </Figure>
    );
  const { plan, left, included, resets_at: resetsAt } = subscription;
  const note = (
    <>
      {words.planNote(plan, toCents(included))}, {words.resets} <Time at={resetsAt} format="day" />
    </>
  );
  return (
    <Figure label={words.plan} note={note}>
      <Money amount={left} isRounded />
    </Figure>
  );
}

function Key({ session: { key, spending_caps } }: { readonly session: Session }) {
  const caps = spending_caps.filter(({ scope }) => scope !== 'account');
  const note = (
    <span className="cap-bars">
      <span>
        <LastFour of={key.last_four} />
        {caps.length === 0 && ` · ${words.noCap}`}
      </span>
      <CapsLeft caps={caps} />
    </span>
  );
  return (
    <Figure label={words.key} note={note}>
      {key.name}
    </Figure>
  );
}

const CapsLeft = ({ caps }: { readonly caps: Session['spending_caps'] }) =>
  caps.map(({ scope, amount, period, left }) => {
    const micros = readDollars(amount) ?? 0n;
    const text = capWords.leftOf(toCents(left), toCents(amount), capWords.periods[period]);
    return (
      <span key={`${scope} ${period}`} className="cap-bar">
        <Meter label={capWords.used} perMille={getCapUse(micros - (readDollars(left) ?? 0n), micros)} />
        <span>{scope === 'creator' ? `${text} (${capWords.scopes.creator.toLowerCase()})` : text}</span>
      </span>
    );
  });
