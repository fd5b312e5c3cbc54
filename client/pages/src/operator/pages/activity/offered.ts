/** The metrics and dimensions that the activity page offers, limited to stored combinations. */

export const metricNames = ['spend', 'requests', 'tokens', 'latency', 'errors'] as const;
export type Metric = (typeof metricNames)[number];

export const dimensions = ['model', 'key', 'account', 'upstream', 'operation', 'code', 'session', 'end_user', 'tag'] as const;
export type Dimension = (typeof dimensions)[number];

interface ActivityChoice {
  readonly metric: Metric;
  readonly by: Dimension;
  readonly second: Dimension | '';
  readonly account_id: string;
  readonly key_id: string;
  readonly end_user: string;
  readonly tag: string;
}

/** Dimensions that are counted together: two dimensions of a group can be combined. */
const together: readonly (readonly Dimension[])[] = [
  ['model', 'upstream', 'operation', 'code'],
  ['model', 'account', 'key', 'end_user', 'tag'],
];
/** Dimensions that can be second to this one. */
export const listSecondDimensions = (by: Dimension): readonly Dimension[] =>
  dimensions.filter((second) => second !== by && together.some((group) => group.includes(by) && group.includes(second)));

/** Latencies aren't kept per account, key, end user, or tag. */
const untimed: readonly string[] = ['account', 'key', 'end_user', 'tag'] satisfies Dimension[];
const isTimed = (by: Dimension | ''): boolean => !untimed.includes(by);
export const hasLatency = ({ by, second, account_id, key_id, end_user, tag }: ActivityChoice): boolean =>
  isTimed(by) && isTimed(second) && [account_id, key_id, end_user, tag].every((value) => value === '');

export const listMetrics = (chosen: ActivityChoice): readonly Metric[] =>
  metricNames.filter((name) => name !== 'latency' || hasLatency(chosen));
export const listDimensions = ({ metric }: ActivityChoice): readonly Dimension[] =>
  dimensions.filter((by) => metric !== 'latency' || isTimed(by));
/** A URL may contain a combination that isn't stored. */
export function toOffered<State extends ActivityChoice>(requested: State): State {
  const isOffered = requested.second === '' || listSecondDimensions(requested.by).includes(requested.second);
  const chosen = isOffered ? requested : { ...requested, second: '' };
  return listMetrics(chosen).includes(chosen.metric) ? chosen : { ...chosen, metric: 'spend' };
}
