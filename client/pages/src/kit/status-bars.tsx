/** Outcomes of calls in a table, one bar per hour or day: its height is the number of calls, with the failed part in red. Screen readers skip the bars, because other columns have their totals. */
export interface StatusBar {
  readonly id: number;
  /** The time, the calls, and the failed calls, in words. */
  readonly label: string;
  readonly requests: number;
  readonly errors: number;
}
export function StatusBars({ bars }: { readonly bars: readonly StatusBar[] }) {
  const most = Math.max(1, ...bars.map(({ requests }) => requests));
  const toHeight = (calls: number) => ({ height: `${(calls * 100) / most}%` });
  return (
    <ol className="status-bars" aria-hidden="true">
      {bars.map(({ id, label, requests, errors }) => (
        <li key={id} title={label}>
          {errors > 0 && <span className="bad" style={toHeight(errors)} />}
          {requests > errors && <span className="good" style={toHeight(requests - errors)} />}
        </li>
      ))}
    </ol>
  );
}
