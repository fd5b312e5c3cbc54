/** Where a walk through a JSON schema stands, and what it draws its values from. */

import type { JsonRecord } from '../values.ts';
import type { Budget } from './budget.ts';

/** What values are made of. */
export interface Source {
  /** The beginning of the prompt. */
  readonly quote: string;
  readonly subjects: readonly string[];
  readonly numbers: readonly number[];
}

/** One walk through a schema. */
export interface Walk {
  readonly root: unknown;
  readonly source: Source;
  /** Shared by all values of one answer. */
  readonly budget: Budget;
  /** What the parts of the schema came to, each made plain once. */
  readonly resolved: WeakMap<object, JsonRecord>;
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
