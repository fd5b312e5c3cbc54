/** Limits the work that one request can cause in the simulator. */
import { type CallCode, GatewayError } from '../../primitives/errors.ts';

/** One step visits one name, node or pattern part. All steps together take at most about 100 milliseconds. */
export const MAX_STEPS = 1_000_000;

export class Budget {
  /** Remaining characters to create. With none left, the text exceeds any response and is cut by the token limit. */
  characters: number;
  /** Steps taken. */
  steps = 0;
  /** The field whose schema is filled, and a description of the schema, for error messages. */
  param = '';
  #description = '';

  constructor(characters: number) {
    this.characters = characters;
  }

  begin(param: string, description: string): void {
    this.param = param;
    this.#description = description;
  }

  /** Throws if no steps are left. */
  spend(steps: number): void {
    this.steps += steps;
    if (this.steps <= MAX_STEPS) return;
    const message = `The built-in simulator fills a schema in at most ${MAX_STEPS} steps, and ${this.#description} needs more. Send a smaller one.`;
    throw new GatewayError<CallCode>('invalid_value', { message, param: this.param });
  }

  /** Uses these characters, or all that are left. */
  useCharacters(characters: number): void {
    this.characters = Math.max(0, this.characters - characters);
  }

  get isExhausted(): boolean {
    return this.characters === 0;
  }
}
