/** Counts the attempts of requests that must fail twice and then succeed. */

import { createHash } from 'node:crypto';
import { getFormFiles, type UpstreamRequest } from '../upstream.ts';

const FAILURE_COUNT = 2;

/** Maximum remembered requests. The least recently failed are forgotten first. */
const MAX_REQUESTS = 10_000;

export class FailTwiceCounter {
  readonly #failureCounts = new Map<string, number>();

  /** Whether this attempt fails. After a success, the count restarts. */
  shouldFail(request: UpstreamRequest): boolean {
    const key = `${request.account}\n${hashRequest(request)}`;
    const failureCount = this.#failureCounts.get(key) ?? 0;
    this.#failureCounts.delete(key);
    if (failureCount === FAILURE_COUNT) return false;
    this.#failureCounts.set(key, failureCount + 1);
    const [oldest] = this.#failureCounts.keys();
    if (oldest !== undefined && this.#failureCounts.size > MAX_REQUESTS) this.#failureCounts.delete(oldest);
    return true;
  }
}

/** Returns the same hash for equal requests of any caller. */
export function hashRequest({ operation, scenario = '', body }: Pick<UpstreamRequest, 'operation' | 'scenario' | 'body'>): string {
  const hash = createHash('sha256').update(JSON.stringify([operation, scenario]));
  if (body.kind === 'json') return hash.update(body.bytes).digest('base64');
  hash.update(JSON.stringify(body.value));
  for (const { bytes } of getFormFiles(body)) hash.update(`${bytes.length}:`).update(bytes);
  return hash.digest('base64');
}
