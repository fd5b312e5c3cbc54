/** One call beside the list: its outcome, why it was rejected, and its receipt. */
import type { ReactNode } from 'react';
import type { PortalContract } from '../../../../../../contract/portal/index.ts';
import type { Success } from '../../../data/contract-types.ts';
import { alignDecimals, formatExact, readDollars, trimZeros } from '../../../data/money.ts';
import { CallFigures } from '../../../kit/call-figures.tsx';
import { CheckList } from '../../../kit/check-list.tsx';
import { Panel } from '../../../kit/panel.tsx';
import { Loaded } from '../../../kit/states.tsx';
import { CopiedId, Money, State, TextWithTimes, Time } from '../../../kit/values.tsx';
import { kit } from '../../../texts/kit.ts';
import { usage } from '../../../texts/portal-usage.ts';
import { useRead } from '../../api.ts';
import { Outcome } from '../../calls-table.tsx';
import { type Receipt, recompute } from '../../recompute.ts';

const { receipt: words, columns } = usage;
type Call = Success<PortalContract['getRequest']>;

export function CallDetails({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const read = useRead('getRequest', { params: { request_id: id } });
  return (
    <Panel label={words.ofCall(id)} title={words.title} onClose={onClose}>
      <Loaded of={read} rows={8}>
        {(call) => (
          <>
            {call.request && (
              <p>
                <Outcome row={call.request} />
              </p>
            )}
            {call.error && <Why error={call.error} outcome={call.request?.outcome} />}
            {call.request && (
              <CallFigures of={call.request} labels={{ ...columns, duration: columns.time, firstEvent: words.firstEvent }} />
            )}
            <Facts call={call} />
            {call.checks.length > 0 && <CheckList checks={call.checks} />}
            {call.receipt && <ReceiptTable receipt={call.receipt} entries={call.entries} />}
            {call.receipt === null && call.request !== null && <NotCharged held="0" />}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function Facts({ call: { request_id: id, request, error, receipt } }: { readonly call: Call }) {
  const facts: readonly (readonly [label: string, value: ReactNode])[] = [
    [words.id, <CopiedId key="id" id={id} what={words.id} />],
    ...(request === null
      ? []
      : ([
          [columns.at, <Time key="at" at={request.at} format="second" />],
          [columns.model, request.model ?? error?.model ?? kit.none],
          [words.operation, request.operation ?? kit.none],
        ] as const)),
    ...(request === null && receipt !== null ? [[columns.model, receipt.model] as const] : []),
  ];
  return (
    <dl className="facts">
      {facts.map(([label, value]) => (
        <Fact key={label} label={label}>
          {value}
        </Fact>
      ))}
    </dl>
  );
}

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </>
);

interface WhyProps {
  readonly error: NonNullable<Call['error']>;
  readonly outcome: NonNullable<Call['request']>['outcome'] | undefined;
}
const Why = ({ error, outcome }: WhyProps) => (
  <>
    <h3>{outcome === 'failed' ? words.whyFailed : words.whyRejected}</h3>
    <p>
      <TextWithTimes text={error.message} />
    </p>
  </>
);

type Entries = Call['entries'];

function ReceiptTable({ receipt, entries }: { readonly receipt: Receipt; readonly entries: Entries }) {
  const { lines, subtotal, multiplier, rounding, cost, held, charged, state, estimated, price_version: version } = receipt;
  if (state !== 'held' && lines.length === 0 && readDollars(charged) === 0n) return <NotCharged held={held} />;
  const aligned = alignDecimals([subtotal, rounding, cost]);
  const sums = [
    [words.subtotal, `$${aligned[0]}`],
    [words.multiplier, `× ${trimZeros(multiplier)}`],
    [words.rounding, `$${aligned[1]}`],
    [words.cost, `$${aligned[2]}`],
    [words.heldBefore, <Money key="held" amount={held} decimals={6} />],
    [words.charged, <Money key="charged" amount={charged} decimals={6} />],
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
          <h3>{words.ledgerEntries}</h3>
          <ul className="plain-list">
            {entries.map(({ id, kind, amount }) => (
              <li key={id} className="row apart">
                <span>
                  {kind.replaceAll('_', ' ')} <code className="soft">#{id}</code>
                </span>
                <Money amount={amount} decimals={6} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

const NotCharged = ({ held }: Pick<Receipt, 'held'>) => (
  <p>
    {words.notCharged}{' '}
    {readDollars(held) !== 0n && (
      <>
        {words.returned} <Money amount={held} decimals={6} />
      </>
    )}
  </p>
);

function Recomputed({ receipt }: { readonly receipt: Receipt }) {
  const cost = recompute(receipt);
  const isSame = cost === readDollars(receipt.cost);
  const text = formatExact(cost);
  return <State tone={isSame ? 'good' : 'bad'}>{isSame ? words.match(text) : words.mismatch(text)}</State>;
}

function Lines({ lines }: Pick<Receipt, 'lines'>) {
  const prices = alignDecimals(lines.map(({ price }) => price));
  const amounts = alignDecimals(lines.map(({ amount }) => amount));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be scrolled by keys.
    <section className="table-frame" tabIndex={0} aria-label={words.title}>
      <table className="table plain">
        <caption className="hidden">{words.title}</caption>
        <thead>
          <tr>
            <th scope="col">{words.columns.item}</th>
            <th scope="col" className="at-right">
              {words.columns.amount}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            <tr key={line.class}>
              <th scope="row">
                {line.class.replaceAll('_', ' ')}{' '}
                <span className="soft small">
                  {words.quantity(line.quantity.toLocaleString(), prices[index] ?? line.price)} {words.per[line.per]}
                </span>
              </th>
              <td className="at-right number">${amounts[index]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
