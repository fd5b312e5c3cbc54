/** The numbers of a chart as a table, for those who read rather than look; it scrolls within the chart. */
import { kit } from '../texts/kit.ts';
import type { ChartProps } from './chart.tsx';

export function ChartTable({ title, buckets, series, format, kind }: ChartProps) {
  const totalAt = (index: number) => series.reduce((sum, { values }) => sum + (values[index] ?? 0n), 0n);
  const cell = (value: bigint | null | undefined) => (value === null || value === undefined ? kit.none : format(value));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be scrolled by keys.
    <section className="chart-table" tabIndex={0} aria-label={title}>
      <table className="table plain">
        <caption className="hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{kit.bucket}</th>
            {series.map(({ id, label }) => (
              <th key={id} scope="col" className="at-right">
                {label}
              </th>
            ))}
            {kind === 'bars' && (
              <th scope="col" className="at-right">
                {kit.total}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {buckets.map(({ label }, index) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {series.map(({ id, values }) => (
                <td key={id} className="at-right number">
                  {cell(values[index])}
                </td>
              ))}
              {kind === 'bars' && <td className="at-right number">{format(totalAt(index))}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
