/** Outcomes of calls, one bar per hour or day: its height is the number of calls, with the failed part in red. Each bar describes its numbers in words. */
export interface StatusBar {
  readonly id: number;
  /** The time, the calls, and the failed calls, in words. */
  readonly label: string;
  readonly requests: number;
  readonly errors: number;
}
export interface StatusBarsProps {
  /** Describes the bars. Omit beside the same numbers as text, so that screen readers skip the bars. */
  readonly label?: string;
  readonly bars: readonly StatusBar[];
}
export function StatusBars({ label, bars }: StatusBarsProps) {
  const most = Math.max(1, ...bars.map(({ requests }) => requests));
  const toHeight = (calls: number) => ({ height: `${(calls * 100) / most}%` });
  return (
    <ol className={label === undefined ? 'status-bars short' : 'status-bars'} aria-label={label} aria-hidden={label === undefined}>
      {bars.map(({ id, label: text, requests, errors }) => (
        <li key={id} title={text}>
          {errors > 0 && <span className="bad" style={toHeight(errors)} />}
          {requests > errors && <span className="good" style={toHeight(requests - errors)} />}
          <span className="hidden">{text}</span>
        </li>
      ))}
    </ol>
  );
}
