/** Compares up to three models: their capabilities, prices, and performance in the last days. */
import type { ReactNode } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Count } from '../../../kit/values.tsx';
import { kit } from '../../../texts/kit.ts';
import { catalog as words } from '../../../texts/portal-catalog.ts';
import { type Entry, formatAbilities, formatPrices, measureNames, priceNames } from './entries.ts';
import { Measure } from './measure.tsx';

export const MAX_COMPARED = 3;

type Line = readonly [title: string, cell: (entry: Entry, column: number) => ReactNode];

function listLines(entries: readonly Entry[]): readonly Line[] {
  const prices = formatPrices(entries);
  return [
    [words.contextWindow, ({ context }) => (context === null ? kit.none : <Count of={context} />)],
    [words.capabilities, formatAbilities],
    ...priceNames.map((name, line): Line => [words.pricesPerMillion[name], (_, column) => prices[line]?.[column]]),
    ...measureNames.map((name): Line => [words.measures[name], (entry) => <Measure of={entry} name={name} />]),
  ];
}

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
          {listLines(entries).map(([title, renderCell]) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              {entries.map((entry, column) => (
                <td key={entry.id}>{renderCell(entry, column)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </section>
);
