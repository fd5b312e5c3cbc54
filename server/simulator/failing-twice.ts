/** Counts the calls that are asked to fail two times first: what is the same call again, and which time it is. */
import { createHash } from 'node:crypto';
import type { UpstreamRequest } from '../upstreams/upstream.ts';

const FAILURES = 2;
/** The calls that are counted on; those that failed longest ago are forgotten first. */
const MOST = 10_000;

export class FailingTwice {
  readonly #failed = new Map<string, number>();

  /** Whether this one fails. Behind the one that does not, it begins anew. */
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

/** What is the same request, whoever sends it. */
export function printOf({ operation, scenario = '', body }: Pick<UpstreamRequest, 'operation' | 'scenario' | 'body'>): string {
  const hash = createHash('sha256').update(JSON.stringify([operation, scenario]));
  if (body.kind === 'json') return hash.update(body.bytes).digest('base64');
  hash.update(JSON.stringify(body.value));
  for (const { bytes } of [...body.images, ...(body.mask ? [body.mask] : [])]) hash.update(`${bytes.length}:`).update(bytes);
  return hash.digest('base64');
}
