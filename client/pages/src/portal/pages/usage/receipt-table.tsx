/** A receipt: its lines, what comes of them, and the cost computed again in the browser. */
import { formatDollars, readDollars } from '../../../data/money.ts';
import { Count, Money, State } from '../../../kit/values.tsx';
import { usage } from '../../../texts/portal-usage.ts';
import { type Receipt, recompute } from '../../recompute.ts';
import type { Entries } from './call-details.tsx';

const { receipt: words } = usage;

/** `0.003300000000` without the zeros behind what counts. */
const short = (exact: string): string => `$${exact.replace(/(\.\d{2}\d*?)0+$/, '$1')}`;

export function ReceiptTable({ receipt, entries }: { readonly receipt: Receipt; readonly entries: Entries }) {
  const { lines, subtotal, multiplier, rounding, cost, held, charged, state, estimated, price_version: version } = receipt;
  const sums = [
    [words.subtotal, short(subtotal)],
    [words.multiplier, `× ${multiplier.replace(/\.?0+$/, '')}`],
    [words.rounding, short(rounding)],
    [words.cost, short(cost)],
    [words.heldBefore, short(held)],
    [words.charged, short(charged)],
    [words.version, String(version)],
  ] as const;
  return (
    <>
      {state === 'held' && <p>{words.held}</p>}
      {estimated && <p>{words.estimated}</p>}
      {lines.length > 0 && <Lines lines={lines} />}
      <dl className="facts sums">
        {sums.map(([label, value]) => (
          <div key={label} className="sum">
            <dt>{label}</dt>
            <dd className="number">{value}</dd>
          </div>
        ))}
      </dl>
      {lines.length > 0 && <Recomputed receipt={receipt} />}
      {entries.length > 0 && (
        <>
          <h3>{words.lines}</h3>
          <ul className="plain-list">
            {entries.map(({ id, kind, amount }) => (
              <li key={id} className="row apart">
                <span>
                  {kind} <code className="soft">#{id}</code>
                </span>
                <Money amount={amount} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Recomputed({ receipt }: { readonly receipt: Receipt }) {
  const cost = recompute(receipt);
  const isSame = cost === readDollars(receipt.cost);
  const text = formatDollars(cost);
  return <State tone={isSame ? 'good' : 'bad'}>{isSame ? words.recomputed(text) : words.differs(text)}</State>;
}

const Lines = ({ lines }: Pick<Receipt, 'lines'>) => (
  <div className="table-frame">
    <table className="table plain">
      <caption className="hidden">{words.title}</caption>
      <thead>
        <tr>
          <th scope="col">{words.columns.class}</th>
          <th scope="col" className="at-right">
            {words.columns.quantity}
          </th>
          <th scope="col" className="at-right">
            {words.columns.price}
          </th>
          <th scope="col" className="at-right">
            {words.columns.amount}
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.class}>
            <th scope="row">{line.class}</th>
            <td className="at-right">
              <Count of={line.quantity} />
            </td>
            <td className="at-right">
              <Money amount={line.price} /> <span className="soft small">{words.per[line.per]}</span>
            </td>
            <td className="at-right number">{short(line.amount)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
