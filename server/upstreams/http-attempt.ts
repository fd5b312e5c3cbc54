/** One request on its way to an upstream over HTTP; with a credential that expires, it may be sent twice. */
import type { Credential, Lines } from './credentials.ts';
import type { UpstreamAnswer, UpstreamRequest } from './upstream.ts';

export class HttpAttempt {
  readonly request: UpstreamRequest;
  readonly credential: Credential;
  /** How much of it still uses its slot of the concurrency limit. */
  running = 0;
  #isRenewed = false;
  readonly #startedAt: number;

  constructor(request: UpstreamRequest, credential: Credential) {
    this.request = request;
    this.credential = credential;
    this.#startedAt = credential.renew ? performance.now() : 0;
  }

  /** What fetching a credential, and sending it a first time, have left of the time. */
  leftOf(totalMs: number): number {
    return this.credential.renew ? Math.max(totalMs - (performance.now() - this.#startedAt), 1) : totalMs;
  }

  /** Whether it is to be sent once more, with a fresh credential. */
  mayRenew(answer: UpstreamAnswer, lines: Lines): boolean {
    if (this.#isRenewed || !this.credential.renew?.(answer, lines)) return false;
    this.#isRenewed = true;
    return true;
  }
}
