/** The four figures of the range, each with its change to the range before, each leading to what is behind it. */
import { Link } from 'wouter';
import { perMille, readDollars } from '../../../data/money.ts';
import { formatDuration } from '../../../data/times.ts';
import { Count, Figure, Figures, Money } from '../../../kit/values.tsx';
import { kit } from '../../../texts/kit.ts';
import { overview as words } from '../../../texts/overview.ts';
import type { Sums } from '../../reads/buckets.ts';
import { requestsPath } from '../../reads/links.ts';

export interface RangeFiguresProps {
  readonly total: Sums;
  readonly before: Sums | undefined;
  readonly range: string;
}

export function RangeFigures({ total, before, range }: RangeFiguresProps) {
  const { requests, refused, errors, first_ms } = total;
  const activity = `/activity?range=${encodeURIComponent(range)}`;
  return (
    <Figures>
      <Figure label={words.spend} note={<Change now={micros(total)} before={before && micros(before)} />}>
        <Link href={activity}>
          <Money amount={total.charged} isRounded />
        </Link>
      </Figure>
      <Figure label={words.requests} note={<Change now={BigInt(requests)} before={before && BigInt(before.requests)} />}>
        <Link href={requestsPath({ range })}>
          <Count of={requests} />
        </Link>
      </Figure>
      <Figure
        label={words.errors}
        note={
          <>
            <Link href={requestsPath({ range, outcome: 'failed' })}>{words.failed(errors)}</Link>
            {' · '}
            <Link href={requestsPath({ range, outcome: 'refused' })}>{words.refusedShare(shareOf(refused, requests))}</Link>
          </>
        }
      >
        <Link href={`${activity}&metric=errors`}>{shareOf(errors, requests)}</Link>
      </Figure>
      <Figure label={words.latency} note={words.latencyNote}>
        <Link href={`${activity}&metric=latency`}>{first_ms === null ? kit.none : formatDuration(first_ms.p95)}</Link>
      </Figure>
    </Figures>
  );
}

const micros = ({ charged }: Sums): bigint => readDollars(charged) ?? 0n;

function shareOf(part: number, whole: number): string {
  if (whole === 0) return kit.none;
  return `${(perMille(BigInt(part), BigInt(whole)) / 10).toLocaleString()} %`;
}

function Change({ now, before }: { readonly now: bigint; readonly before: bigint | undefined }) {
  if (before === undefined) return ' ';
  if (before === 0n) return words.noBefore;
  const percent = Number(((now - before) * 100n) / before);
  const sign = percent > 0 ? '+' : percent < 0 ? '−' : '±';
  return words.change(`${sign}${Math.abs(percent).toLocaleString()} %`);
}
