/** Where a walk through a JSON schema stands, and what it draws its values from. */

/** What values are made of. */
export interface Source {
  readonly prompt: string;
  readonly subjects: readonly string[];
  readonly numbers: readonly number[];
}

/** One walk through a schema. */
export interface Walk {
  readonly root: unknown;
  readonly source: Source;
  /** How many values were made so far. */
  nodes: number;
  /** How many of the prompt's numbers were used. */
  numbersUsed: number;
}
export interface Place {
  /** The property's name, which often tells what is wanted. */
  readonly name: string;
  /** Position in the array around it. */
  readonly index: number;
  readonly depth: number;
}
