/** Checks that Redis runs the limit script, how long it takes, and that its clock agrees. */

import { createHash } from 'node:crypto';
import { openConnection, withDeadline } from '../../limits/redis/connection.ts';
import { KEY_PREFIX, type Script } from '../../limits/redis/script.ts';
import { type CheckResult, formatMilliseconds, getReason, measureTime, reportFault, reportOk, reportWarning } from './check-result.ts';
import { MAX_CLOCK_SKEW_MS, toClockWarning } from './clock.ts';

const TIMEOUT_MS = 3_000;

/** By default, a call waits this long for Redis before the gateway counts without it. */
const SLOW_SCRIPT_MS = 50;

const SCRIPT_TEXT = "redis.call('SET', KEYS[1], '1', 'PX', 1000) local time = redis.call('TIME') return {tonumber(time[1])}";

const script: Script = { text: SCRIPT_TEXT, sha: createHash('sha1').update(SCRIPT_TEXT).digest('hex') };

export async function examineRedis(url: string): Promise<CheckResult> {
  let connectionError: unknown = null;
  const connection = openConnection(url, (cause) => {
    connectionError = cause;
  });
  try {
    const connectTime = await measureTime(() => withDeadline(connection.opened, TIMEOUT_MS));
    const runScript = () =>
      withDeadline(connection.run<readonly number[]>(script, { keys: [`${KEY_PREFIX}doctor:${process.pid}`], args: [] }), TIMEOUT_MS);
    const [seconds = 0] = await runScript();
    const { ms } = await measureTime(runScript);
    const detail = `connected in ${formatMilliseconds(connectTime.ms)}, script run in ${formatMilliseconds(ms)}`;
    const skewMs = Math.abs(seconds * 1_000 - Date.now());
    if (skewMs > MAX_CLOCK_SKEW_MS) return toClockWarning(detail, skewMs);
    return ms > SLOW_SCRIPT_MS
      ? reportWarning(
          detail,
          'Check the network to Redis: limits wait for it at most 50 ms by default (redis.timeoutMs). After that, each process enforces its own share.',
        )
      : reportOk(detail);
  } catch (error) {
    return reportFault(
      getReason(connectionError ?? error),
      'Check that Redis is running, and check the address and password in REDIS_URL or redis.url. Until then, each process enforces its own share of every limit.',
    );
  } finally {
    connection.close();
  }
}
