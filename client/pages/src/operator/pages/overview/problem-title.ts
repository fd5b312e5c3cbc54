/** The title of a problem: the state of its object, from the sentence that the API writes. */
import type { AdminContract } from '../../../../../../contract/admin/index.ts';
import type { Success } from '../../../data/contract-types.ts';
import { formatAgo } from '../../../data/times.ts';
import { overview as words } from '../../../texts/overview.ts';

export type Problem = Success<AdminContract['getOverview']>['attention'][number];

/** Sentences of the API that have the amount or the time of the title. */
const LOW_BALANCE = /^Account .+ has (\$[\d.]+) left/;
const EXPIRING_KEY = /^Key .+ of account (.+) expires at (\S+)\.$/;

export interface Titled {
  /** The state of the object, in a few words. */
  readonly title: string;
  /** What follows from it, in complete sentences. */
  readonly messages: readonly string[];
}
/** With the API's sentence, if no title says all of it. */
export function getTitle({ target, name, kind, is_urgent: isUrgent, impact, message }: Problem): Titled {
  const { titles } = words;
  const [, left] = LOW_BALANCE.exec(message) ?? [];
  const [, account, at] = EXPIRING_KEY.exec(message) ?? [];
  if (name === null) return { title: titles.gateway[kind], messages: [message] };
  if (kind === 'calls_failing') return { title: titles.failing(name), messages: [message] };
  if (target === 'upstream')
    return { title: (isUrgent ? titles.unavailable : titles.coolingDown)(name), messages: isUrgent && impact !== null ? [] : [message] };
  if (left !== undefined) return { title: titles.left(name, left), messages: [titles.untilTopUp] };
  if (account !== undefined && at !== undefined)
    return { title: titles.expires(`${account} / ${name}`, formatAgo(new Date(at), new Date())), messages: [titles.fromThenOn(at)] };
  return { title: message.replace(/\.$/, ''), messages: [] };
}
