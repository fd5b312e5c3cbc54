/** What all values of one answer may cost together: steps and characters are counted as they are made, whatever the caller's schemas say. */
import { type CallCode, GatewayError } from '../../errors.ts';

/** One step is a look at one name, node or part of a pattern: a hundred milliseconds at the very most. */
export const MOST_STEPS = 1_000_000;

export class Budget {
  /** The characters that may still be made. With none left, the text is longer than any answer, which is then cut as that of a model. */
  characters: number;
  /** How many steps were taken. */
  steps = 0;
  /** The field whose schema is filled, and the schema in words: for a refusal. */
  #param = '';
  #what = '';

  constructor(characters: number) {
    this.characters = characters;
  }

  begin(param: string, what: string): void {
    this.#param = param;
    this.#what = what;
  }

  /** Throws when no steps are left. */
  spend(steps: number): void {
    this.steps += steps;
    if (this.steps <= MOST_STEPS) return;
    const message = `The built-in simulator makes up the values of an answer in ${MOST_STEPS} steps, and ${this.#what} takes more. Send a smaller one.`;
    throw new GatewayError<CallCode>('invalid_value', { message, param: this.#param });
  }

  /** As many of them as are left. */
  take(characters: number): void {
    this.characters = Math.max(0, this.characters - characters);
  }

  get isSpent(): boolean {
    return this.characters === 0;
  }

  /** Of a value that is the caller's own; it is looked at no further than the budget goes. */
  takeValue(value: unknown): void {
    const open = [value];
    while (open.length > 0 && !this.isSpent) {
      const next = open.pop();
      this.take(typeof next === 'string' ? next.length + 2 : 1);
      if (typeof next !== 'object' || next === null) continue;
      for (const entry of Object.values(next)) open.push(entry);
      if (!Array.isArray(next)) for (const key of Object.keys(next)) this.take(key.length + 2);
    }
  }
}
