/** Charts on the kit page: stacked bars of money, lines of milliseconds, an empty chart, and one with many buckets. */
import { useState } from 'react';
import { formatCents, formatDollars } from '../data/money.ts';
import { Chart, type Series } from '../kit/chart.tsx';
import { Count, Figure, Figures, Meter, Money, Time } from '../kit/values.tsx';

const names = ['gpt-5.4', 'gpt-5.4-mini', 'gpt-5.2', 'claude-sonnet-5', 'gemini-3-pro', 'gpt-image-2', 'o5', 'embed-4'];
const START_MS = Date.UTC(2026, 10, 21);
const HOUR_MS = 3_600_000;

const createBuckets = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const text = new Date(START_MS + index * HOUR_MS).toISOString();
    return { label: `${text.slice(0, 10)} ${text.slice(11, 16)} UTC`, short: `${text.slice(5, 10)} ${text.slice(11, 16)}` };
  });

/** Values that look realistic and never change. */
const createWave = (count: number, place: number, size: number): bigint[] =>
  Array.from({ length: count }, (_, index) =>
    BigInt(Math.round(size * (1.2 + Math.sin(index / 3 + place) + ((index * 7 + place * 3) % 5) / 6))),
  );

const createSpendSeries = (count: number): readonly Series[] => [
  ...names.map((label, place) => ({
    id: label,
    label,
    href: `/tables?model=${label}`,
    values: createWave(count, place, 2_400_000 / (place + 1)),
  })),
  { id: 'other', label: 'Other', isOther: true, values: createWave(count, 9, 150_000) },
];

const latency: readonly Series[] = [
  { id: 'p50', label: 'p50', values: createWave(24, 1, 150) },
  { id: 'p95', label: 'p95', values: createWave(24, 2, 420).map((value, index) => (index === 9 ? null : value)) },
];
const formatMs = (value: bigint): string => `${value.toLocaleString()} ms`;

export function Charts() {
  const [opened, setOpened] = useState<number | null>(null);
  return (
    <section className="stack wide" aria-label="Charts">
      <Figures>
        <Figure label="Spend" note="+9% from the previous period">
          <Money amount="412.081204" isRounded />
        </Figure>
        <Figure label="Requests" note="1.2% rejected">
          <Count of={88_120} />
        </Figure>
        <Figure label="Tokens" note={<Meter label="Spending cap used" perMille={700} />}>
          <Count of={40_112_004} isShort />
        </Figure>
        <Figure label="Complete until">
          <Time at="2026-11-22T12:03:58.000Z" />
        </Figure>
      </Figures>
      <Chart
        title="Spend by model, per hour"
        kind="bars"
        buckets={createBuckets(24)}
        series={createSpendSeries(24)}
        format={formatDollars}
        formatTick={formatCents}
        note="UTC"
        onOpen={setOpened}
      />
      <p role="status">{opened === null ? 'No bucket is open' : `Bucket ${opened} is open`}</p>
      <Chart title="Time to first event" kind="lines" buckets={createBuckets(24)} series={latency} format={formatMs} note="±12%" />
      <Chart
        title="Spend per hour, one month"
        kind="bars"
        buckets={createBuckets(720)}
        series={createSpendSeries(720).slice(0, 4)}
        format={formatCents}
      />
    </section>
  );
}
