/** Key figures of the portal's overview: balance, today, plan, spending caps, and key. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { PortalContract } from '../../../../../../contract/portal/index.ts';
import type { Success } from '../../../data/contract-types.ts';
import { formatCents, readDollars, writeDollars } from '../../../data/money.ts';
import { Icon } from '../../../kit/icon.tsx';
import { CapMeters } from '../../../kit/spending-caps.tsx';
import { Figure, Figures, LastFour, Money, Time } from '../../../kit/values.tsx';
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
  const accountCaps = session.spending_caps.filter(({ scope }) => scope === 'account');
  const isEmpty = balance !== null && subscription === null && (readDollars(balance.available) ?? 0n) <= 0n;
  return (
    <>
      <Figures>
        <Figure label={words.available} note={formatHeld(session)}>
          <Money amount={balance?.available ?? null} isRounded />
        </Figure>
        <Today activity={activity} getHref={getHref} />
        {subscription && <Plan subscription={subscription} />}
        {accountCaps.length > 0 && (
          <Figure label={words.accountCaps}>
            <CapMeters caps={accountCaps.map(toUsedCap)} />
          </Figure>
        )}
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

function Plan({ subscription }: { readonly subscription: NonNullable<Session['subscription']> }) {
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

/** Shows the caps of the key, and of the key that created it. */
function Key({ session: { key, spending_caps } }: { readonly session: Session }) {
  const [own, creators] = (['key', 'creator'] as const).map((scope) => spending_caps.filter((cap) => cap.scope === scope).map(toUsedCap));
  const note = (
    <span className="cap-bars">
      <LastFour of={key.last_four} />
      {own && own.length > 0 && <CapMeters caps={own} />}
      {creators && creators.length > 0 && (
        <>
          {capWords.scopes.creator}
          <CapMeters caps={creators} />
        </>
      )}
    </span>
  );
  return (
    <Figure label={words.key} note={note}>
      {key.name}
    </Figure>
  );
}

function toUsedCap({ amount, period, left }: Session['spending_caps'][number]) {
  const used = (readDollars(amount) ?? 0n) - (readDollars(left) ?? 0n);
  return { amount, period, used: writeDollars(used) };
}
