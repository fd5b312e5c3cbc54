/** Watches credentials that a library renews in the background, where a failed renewal is silent until they end. */
import type { TellRenewal } from './token-keeper.ts';

/** AWS's library renews credentials five minutes before they end: with less than this left, it has failed. */
const LATE_MS = 240_000;
/** An upstream that was idle uses old credentials while the new ones are fetched; only after this time are they late. */
const PATIENCE_MS = 30_000;

interface Expiring {
  readonly expiration?: Date | undefined;
}

/** Returns a function that is given the credentials of each request. It tells once that they are late, and once that they were renewed. */
export function watchExpiry(tell: TellRenewal, now: () => number): (credentials: Expiring) => void {
  let lateSince: number | null = null;
  let isTold = false;
  return ({ expiration }) => {
    const endsAt = expiration?.getTime() ?? Number.POSITIVE_INFINITY;
    if (endsAt - now() >= LATE_MS) {
      if (isTold) tell({ kind: 'renewed' });
      lateSince = null;
      isTold = false;
      return;
    }
    lateSince ??= now();
    if (isTold || now() - lateSince < PATIENCE_MS) return;
    isTold = true;
    tell({ kind: 'failed', cause: new Error('the source of the credentials has given no newer ones'), endsAt });
  };
}
