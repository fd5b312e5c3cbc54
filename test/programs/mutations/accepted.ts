/** Mutants that no test notices, each with the reason why none has to. */
import type { Mutant } from './mutants.ts';

export type Accepted = Pick<Mutant, 'file' | 'text' | 'change'> & { readonly reason: string };

export const accepted: readonly Accepted[] = [];
