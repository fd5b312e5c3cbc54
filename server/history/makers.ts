/** Remembers which upstream sealed which thoughts, so that callers who carry them by hand bring them to no other. */
import { eachSealed, printOf } from '../dialects/turn/encrypted-reasoning.ts';

/** Some 10 MB at most. What is forgotten, as after a restart, is handed on: its upstream judges it. */
const MOST = 50_000;

export interface Makers {
  /** Notes all that is sealed in the bytes of an answer. */
  note(answer: Buffer, upstream: string): void;
  /** The upstream that sealed this; undefined where nobody remembers. */
  makerOf(sealed: string): string | undefined;
}

export function openMakers(most = MOST): Makers {
  const makers = new Map<string, string>();
  const remember = (print: string, upstream: string): void => {
    // Taken out and put in again: the oldest come first.
    makers.delete(print);
    makers.set(print, upstream);
    if (makers.size <= most) return;
    const [oldest] = makers.keys();
    if (oldest !== undefined) makers.delete(oldest);
  };
  return {
    note: (answer, upstream) => eachSealed(answer, (print) => remember(print, upstream)),
    makerOf: (sealed) => makers.get(printOf(sealed)),
  };
}
