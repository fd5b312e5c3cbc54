/** Up to three models side by side: what they can do, cost, and how they did in the last days. */
import type { ReactNode } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Count, Money } from '../../../kit/values.tsx';
import { kit } from '../../../texts/kit.ts';
import { catalog as words } from '../../../texts/portal-catalog.ts';
import { Abilities } from './card.tsx';
import { type Entry, formatMeasure, getPrice, measureNames } from './entries.ts';

export const MAX_COMPARED = 3;

const lines: readonly (readonly [title: string, cell: (entry: Entry) => ReactNode])[] = [
  [words.contextWindow, ({ context }) => (context === null ? kit.none : <Count of={context} isShort />)],
  [words.capabilities, ({ can }) => <Abilities of={can} />],
  ...(['input', 'cached', 'output'] as const).map(
    (name) => [words.pricesPerMillion[name], (entry: Entry) => <Money amount={getPrice(entry, name)} />] as const,
  ),
  ...measureNames.map((name) => [words.measures[name], (entry: Entry) => formatMeasure(entry, name)] as const),
];

interface ComparisonProps {
  readonly entries: readonly Entry[];
  readonly onClear: () => void;
}
export const Comparison = ({ entries, onClear }: ComparisonProps) => (
  <section className="card stack" aria-label={words.comparison}>
    <div className="row apart">
      <h2>{words.comparison}</h2>
      <Button onClick={onClear}>{words.clearComparison}</Button>
    </div>
    <div className="scrolls">
      <table className="table tight plain comparison">
        <caption className="hidden">{words.comparison}</caption>
        <thead>
          <tr>
            <td />
            {entries.map(({ id }) => (
              <th key={id} scope="col">
                {id}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(([title, renderCell]) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              {entries.map((entry) => (
                <td key={entry.id}>{renderCell(entry)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    <p className="soft small">{words.measured}</p>
  </section>
);
