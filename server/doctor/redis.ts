/** The Redis check of `modelgate doctor`: it connects, answers, and runs a script that writes. */

import { createHash } from 'node:crypto';
import { inTime, openConnection } from '../limits/redis/connection.ts';
import type { Script } from '../limits/redis/script.ts';
import { KEY_PREFIX } from '../limits/redis/script-steps.ts';
import { CLOCKS_APART_MS, clocksApart } from './database.ts';
import { fault, milliseconds, ok, reasonOf, timed, type Verdict, warning } from './finding.ts';

const WAIT_MS = 3_000;
/** How long a call waits for Redis before its gateway counts by itself. */
const SLOW_MS = 50;
const TEXT = "redis.call('SET', KEYS[1], '1', 'PX', 1000) local time = redis.call('TIME') return {tonumber(time[1])}";
const script: Script = { text: TEXT, sha: createHash('sha1').update(TEXT).digest('hex') };

export async function examineRedis(url: string): Promise<Verdict> {
  let lost: unknown = null;
  const connection = openConnection(url, (cause) => {
    lost = cause;
  });
  try {
    const opened = await timed(() => inTime(connection.opened, WAIT_MS));
    const run = () =>
      inTime(connection.run<readonly number[]>(script, { keys: [`${KEY_PREFIX}doctor:${process.pid}`], args: [] }), WAIT_MS);
    const [seconds = 0] = await run();
    const { ms } = await timed(run);
    const detail = `connected in ${milliseconds(opened.ms)}, a script takes ${milliseconds(ms)}`;
    const apartMs = Math.abs(seconds * 1_000 - Date.now());
    if (apartMs > CLOCKS_APART_MS) return clocksApart(detail, apartMs);
    return ms > SLOW_MS
      ? warning(detail, 'Limits wait no longer than 50 ms for Redis; beyond that each process enforces its own share.')
      : ok(detail);
  } catch (error) {
    return fault(
      reasonOf(lost ?? error),
      'Does Redis run, and are address and password of REDIS_URL or redis.url right? Until then each process enforces its share of every limit.',
    );
  } finally {
    connection.close();
  }
}
