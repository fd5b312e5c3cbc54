/** The errors that end a check early: a violation, or a check that could not run. */

/** The most mismatches to report: in a wrong stream every event may have one. */
const MOST = 20;

/** The deployment does not keep the contract, in one way or in several. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly mismatches: readonly string[];

  constructor(...found: readonly string[]) {
    const mismatches = found.length > MOST ? [...found.slice(0, MOST), `and ${found.length - MOST} more`] : found;
    super(mismatches.join('; '));
    this.mismatches = mismatches;
  }
}

/** The check cannot run here. */
export class LeftOut extends Error {
  override readonly name = 'LeftOut';
}

export function demand(isSo: boolean, complaint: string): asserts isSo {
  if (!isSo) throw new Violation(complaint);
}

/** One assertion, or a step before it. */
type Demand<T> = () => T;

/** Runs all and returns their results in order; throws all their violations as one. Other errors pass through. */
export function demandAll<T>(demands: readonly Demand<T>[]): readonly T[] {
  const complaints: string[] = [];
  const given = demands.flatMap((each) => {
    try {
      return [each()];
    } catch (thrown) {
      if (!(thrown instanceof Violation)) throw thrown;
      complaints.push(...thrown.mismatches);
      return [];
    }
  });
  if (complaints.length > 0) throw new Violation(...complaints);
  return given;
}
