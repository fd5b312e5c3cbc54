/** The title of a problem: the state of its object. */
import type { AdminContract } from '../../../../../../contract/admin/index.ts';
import type { Success } from '../../../data/contract-types.ts';
import { formatAgo } from '../../../data/times.ts';
import { overview as words } from '../../../texts/overview.ts';

export type Problem = Success<AdminContract['getOverview']>['attention'][number];

export interface Titled {
  /** The state of the object, in a few words. */
  readonly title: string;
  /** The consequences, in complete sentences. */
  readonly messages: readonly string[];
}
/** Adds the API's message if the title doesn't contain all of it. */
export function getTitle({ target, name, kind, is_urgent: isUrgent, impact, available, expires_at: expiry, message }: Problem): Titled {
  const { titles } = words;
  if (name === null) return { title: titles.gateway[kind], messages: [message] };
  if (kind === 'calls_failing') return { title: titles.failing(name), messages: [message] };
  if (target === 'upstream')
    return { title: (isUrgent ? titles.unavailable : titles.coolingDown)(name), messages: isUrgent && impact !== null ? [] : [message] };
  if (available !== null) return { title: titles.left(name, `$${available}`), messages: [titles.untilTopUp] };
  if (expiry !== null)
    return { title: titles.expires(name, formatAgo(new Date(expiry), new Date())), messages: [titles.fromThenOn(expiry)] };
  return { title: message.replace(/\.$/, ''), messages: [] };
}
