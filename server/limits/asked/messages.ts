/** What a process that counts no limits itself asks the one that counts them for all. Everything here can be written as JSON. */
import type { Limit, Standing, Take, Taken, Windows } from '../limiter.ts';

/** A take, and the number of the one that it replaces. */
export type NumberedTake = Omit<Take, 'replaces'> & { readonly replaces: number | null };

/** One step of the limiter. The process that asks numbers its takes. */
export type Step =
  | { readonly kind: 'take'; readonly number: number; readonly take: NumberedTake }
  | { readonly kind: 'give back'; readonly number: number }
  | { readonly kind: 'finish'; readonly number: number; readonly usedTokens: number }
  | { readonly kind: 'look'; readonly limits: readonly Limit[] }
  | { readonly kind: 'measure'; readonly limits: readonly Limit[] };

export type Answer = Taken | Windows | readonly Standing[];

/** The steps of one turn of the event loop, executed in this order. */
export interface Question {
  readonly id: number;
  readonly steps: readonly Step[];
}

export interface Reply {
  readonly id: number;
  /** One for each step, in the order of the steps. */
  readonly answers: readonly Answer[];
}

/** The way to the process that counts. */
export interface LimitsChannel {
  ask(question: Question): void;
  onReply(listener: (reply: Reply) => void): void;
}
