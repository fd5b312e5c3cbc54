/** Counts calls of the scenario that fails twice: which calls are the same, and the number of each attempt. */
import { createHash } from 'node:crypto';
import type { UpstreamRequest } from '../upstreams/upstream.ts';

const FAILURES = 2;
/** The calls that are remembered; those that failed longest ago are forgotten first. */
const MOST = 10_000;

export class FailingTwice {
  readonly #failed = new Map<string, number>();

  /** Whether this attempt fails. After one that succeeds, the count begins again. */
  failsNow(request: UpstreamRequest): boolean {
    const key = `${request.account}\n${printOf(request)}`;
    const failed = this.#failed.get(key) ?? 0;
    this.#failed.delete(key);
    if (failed === FAILURES) return false;
    this.#failed.set(key, failed + 1);
    const [oldest] = this.#failed.keys();
    if (oldest !== undefined && this.#failed.size > MOST) this.#failed.delete(oldest);
    return true;
  }
}

/** Identifies equal requests of any caller. */
export function printOf({ operation, scenario = '', body }: Pick<UpstreamRequest, 'operation' | 'scenario' | 'body'>): string {
  const hash = createHash('sha256').update(JSON.stringify([operation, scenario]));
  if (body.kind === 'json') return hash.update(body.bytes).digest('base64');
  hash.update(JSON.stringify(body.value));
  for (const { bytes } of [...body.images, ...(body.mask ? [body.mask] : [])]) hash.update(`${bytes.length}:`).update(bytes);
  return hash.digest('base64');
}
