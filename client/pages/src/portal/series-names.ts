/** Names of series and of the account's keys, in one form on every page. */
import { usage as words } from '../texts/portal-usage.ts';
import { type Activity, useRead } from './api.ts';

/** Maximum page size. */
const MOST = 1_000;

/** All keys of the account. Undefined for a key that sees only itself, and while loading. */
export function useAccountKeys() {
  const keys = useRead('listKeys', { query: { limit: MOST } }).data?.data;
  return keys?.some(({ is_own: isOwn, may_manage: mayManage }) => isOwn && mayManage) ? keys : undefined;
}

export type Dimension = keyof typeof words.dimensions;
type Series = Activity['series'][number];

/** Returns the activity with labels for people: the name of a key, or the missing value of a series, such as "no session". */
export function useSeriesNames(by: Dimension): (activity: Activity) => Activity {
  const keys = useAccountKeys();
  const account = useRead('getSession').data?.account.name;
  const nameSeries = ({ key, label, is_other: isOther }: Series): string => {
    if (isOther) return words.other;
    if (key === '') return words.withoutValue[by];
    const row = keys?.find(({ id }) => id === key);
    // The API appends the account's name, which is the same for all.
    return row ? `${row.name} …${row.last_four}` : label.replace(` (${account})`, '');
  };
  return (activity) => ({ ...activity, series: activity.series.map((one) => ({ ...one, label: nameSeries(one) })) });
}
