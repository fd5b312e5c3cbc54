/** The money of a request: its hold, its charge, the lines of its receipt, and whether recomputing the charge gives the same amount. */
import type { ReactNode } from 'react';
import { alignDecimals, readDollars, trimZeros } from '../../../data/money.ts';
import { Icon } from '../../../kit/icon.tsx';
import { Money } from '../../../kit/values.tsx';
import { prices as priceWords } from '../../../texts/prices.ts';
import { requests as words } from '../../../texts/requests.ts';
import { type Difference, type ExplainedRequest, type Receipt, recompute } from './recompute.ts';
import { Section } from './section.tsx';

const { money, detail } = words;
const classNames: Readonly<Record<string, string>> = priceWords.classes;

interface ChargeProps {
  readonly receipt: Receipt | null;
  readonly entries: ExplainedRequest['entries'];
}
export function Charge({ receipt, entries }: ChargeProps) {
  if (receipt === null)
    return (
      <Section title={detail.billing}>
        <p className="soft">{detail.nothingHeld}</p>
      </Section>
    );
  return (
    <Section title={detail.billing}>
      <Facts receipt={receipt} />
      {receipt.lines.length > 0 && <Lines receipt={receipt} />}
      {receipt.state === 'posted' && <Verdict differences={recompute(receipt, entries)} />}
    </Section>
  );
}

function Facts({ receipt }: { readonly receipt: Receipt }) {
  const { held, charged, overrun, source, price_version, price_list, estimated } = receipt;
  const returned = (readDollars(held) ?? 0n) - (readDollars(charged) ?? 0n);
  const facts: readonly (readonly [label: string, value: ReactNode])[] = [
    [money.held, <Money key="held" amount={held} decimals={6} />],
    [money.charged, <Money key="charged" amount={charged} decimals={6} />],
    [money.returned, <Money key="returned" amount={returned} decimals={6} />],
    ...(readDollars(overrun) === 0n ? [] : [[money.overHold, <Money key="overrun" amount={overrun} decimals={6} />] as const]),
    [money.source, money.sources[source]],
    [money.prices, money.version(price_version, price_list)],
  ];
  return (
    <>
      <dl className="facts">
        {facts.map(([label, value]) => (
          <Fact key={label} label={label} value={value} />
        ))}
      </dl>
      {estimated && <p className="soft">{money.estimated}</p>}
    </>
  );
}

const Fact = ({ label, value }: { readonly label: string; readonly value: ReactNode }) => (
  <>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </>
);

function Lines({ receipt: { lines, subtotal, multiplier, rounding, cost } }: { readonly receipt: Receipt }) {
  const prices = alignDecimals(lines.map(({ price }) => price));
  const [alignedSubtotal, alignedRounding, alignedCost, ...amounts] = alignDecimals([
    subtotal,
    rounding,
    cost,
    ...lines.map(({ amount }) => amount),
  ]);
  const sums = [
    [money.subtotal, `$${alignedSubtotal}`],
    [money.multiplier, `× ${trimZeros(multiplier)}`],
    [money.rounding, `+ $${alignedRounding}`],
    [money.cost, `$${alignedCost}`],
  ] as const;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be scrolled by keys.
    <section className="scrolls" tabIndex={0} aria-label={detail.billing}>
      <table className="table plain tight">
        <thead>
          <tr>
            <th scope="col">{money.item}</th>
            <th scope="col" className="at-right">
              {money.quantity}
            </th>
            <th scope="col" className="at-right">
              {money.price}
            </th>
            <th scope="col" className="at-right">
              {money.amount}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            <tr key={line.class}>
              <th scope="row">{classNames[line.class] ?? line.class}</th>
              <td className="at-right number">{line.quantity.toLocaleString()}</td>
              <td className="at-right number">
                ${prices[index]}
                {money.per[line.per]}
              </td>
              <td className="at-right number">${amounts[index]}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          {sums.map(([label, value]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td colSpan={3} className="at-right number">
                {value}
              </td>
            </tr>
          ))}
        </tfoot>
      </table>
    </section>
  );
}

function Verdict({ differences }: { readonly differences: readonly Difference[] }) {
  const isSame = differences.length === 0;
  const parts = differences.map((one) => (one.part === 'line' ? money.parts.line(one.name) : money.parts[one.part]));
  return (
    <p className={isSame ? 'verdict' : 'verdict bad'}>
      <Icon name={isSame ? 'check' : 'warning'} />
      {isSame ? money.match : money.mismatch(parts.join(', '))}
    </p>
  );
}
