/** Checks of the headers and refusals about limits. */
import type { Answer } from './caller.ts';
import { type Check, demandRefusal } from './check.ts';
import { chatAsk } from './operations.ts';
import { demand, demandAll, LeftOut } from './violation.ts';

const DURATION = /^(?:\d+ms|(?:\d+m)?\d+(?:\.\d+)?s)$/;

/** False when no header mentions it. */
function demandWindow({ headers }: Answer, what: 'requests' | 'tokens'): boolean {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((word) => headers.get(`x-ratelimit-${word}-${what}`) ?? null);
  if (limit === null && remaining === null && reset === null) return false;
  const areCounts = /^\d+$/.test(limit ?? '') && /^\d+$/.test(remaining ?? '');
  demandAll([
    () => demand(areCounts, `limit and remaining ${what} are ${limit} and ${remaining}`),
    () => demand(!areCounts || Number(remaining) <= Number(limit), `${remaining} ${what} remain of ${limit}`),
    () => demand(DURATION.test(reset ?? ''), `the ${what} reset in '${reset}', which is not a duration`),
  ]);
  return true;
}

export const limits: readonly Check[] = [
  {
    group: 'limits',
    area: 'models',
    name: 'sends limit, remaining and reset together',
    async run(caller) {
      const key = caller.limitedKey === null ? {} : { key: caller.limitedKey };
      const answer = await caller.ask('/models', key);
      const said = demandAll([() => demandWindow(answer, 'requests'), () => demandWindow(answer, 'tokens')]);
      if (!said.includes(true)) throw new LeftOut('the key has no limits');
    },
  },
  {
    group: 'limits',
    area: 'chat',
    name: 'refuses a call beyond the limit, and says when to retry',
    async run(caller) {
      const { limitedKey: key } = caller;
      if (key === null) throw new LeftOut('give a key with a limit of one request per minute with --limited-key');
      await caller.ask('/chat/completions', { key, json: chatAsk(caller) });
      const answer = await caller.ask('/chat/completions', { key, json: chatAsk(caller) });
      const wait = answer.headers.get('retry-after') ?? 'nothing';
      demandAll([
        () => demandRefusal(answer, 'rate_limit_exceeded'),
        () => demand(/^[1-9]\d*$/.test(wait), `retry-after is ${wait}, not a number of seconds`),
      ]);
    },
  },
];
