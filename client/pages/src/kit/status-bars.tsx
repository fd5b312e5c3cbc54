/** How calls went, a bar for each hour or day, as status pages show it. The bars are colors alone, so each says its numbers in its title. */
export interface StatusBar {
  readonly id: number;
  /** The time, the calls and the failed ones, in words. */
  readonly label: string;
  readonly requests: number;
  readonly errors: number;
}
export interface StatusBarsProps {
  /** What the bars show. Absent beside the same numbers as text: screen readers skip the bars. */
  readonly label?: string;
  readonly bars: readonly StatusBar[];
}
export function StatusBars({ label, bars }: StatusBarsProps) {
  return (
    <ol className={label === undefined ? 'status-bars short' : 'status-bars'} aria-label={label} aria-hidden={label === undefined}>
      {bars.map((bar) => (
        <li key={bar.id} className={getTone(bar)} title={bar.label}>
          <span className="hidden">{bar.label}</span>
        </li>
      ))}
    </ol>
  );
}

/** Failed calls per thousand: a bar is bad from `BAD` up, and good up to `GOOD`. */
const BAD = 100;
const GOOD = 10;

function getTone({ requests, errors }: StatusBar): string | undefined {
  if (requests === 0) return undefined;
  const share = (errors * 1_000) / requests;
  return share >= BAD ? 'bad' : share >= GOOD ? 'warn' : 'good';
}
