/** What the page of activity offers: the metrics and dimensions that the sums have together. */

export const metricNames = ['spend', 'requests', 'tokens', 'latency', 'errors'] as const;
export type Metric = (typeof metricNames)[number];

export const dimensions = ['model', 'key', 'account', 'upstream', 'operation', 'code', 'session'] as const;
export type Dimension = (typeof dimensions)[number];

interface ActivityChoice {
  readonly metric: Metric;
  readonly by: Dimension;
  readonly second: Dimension | '';
  readonly account_id: string;
  readonly key_id: string;
}

/** What is counted together: two dimensions of one of these groups can be combined. */
const together: readonly (readonly Dimension[])[] = [
  ['model', 'upstream', 'operation', 'code'],
  ['model', 'account', 'key'],
];
/** Second dimensions beside this one. */
export const listSecondDimensions = (by: Dimension): readonly Dimension[] =>
  dimensions.filter((second) => second !== by && together.some((group) => group.includes(by) && group.includes(second)));

/** Times are kept for neither accounts nor keys. */
const isTimed = (by: Dimension): boolean => by !== 'account' && by !== 'key';
export const hasLatency = ({ by, second, account_id, key_id }: ActivityChoice): boolean =>
  isTimed(by) && (second === '' || isTimed(second)) && account_id === '' && key_id === '';

export const listMetrics = (chosen: ActivityChoice): readonly Metric[] =>
  metricNames.filter((name) => name !== 'latency' || hasLatency(chosen));
export const listDimensions = ({ metric }: ActivityChoice): readonly Dimension[] =>
  dimensions.filter((by) => metric !== 'latency' || isTimed(by));
/** An address may ask for what isn't kept. */
export function toOffered<State extends ActivityChoice>(requested: State): State {
  const isOffered = requested.second === '' || listSecondDimensions(requested.by).includes(requested.second);
  const chosen = isOffered ? requested : { ...requested, second: '' };
  return listMetrics(chosen).includes(chosen.metric) ? chosen : { ...chosen, metric: 'spend' };
}
