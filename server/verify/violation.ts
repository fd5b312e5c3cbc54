/** The words in which a check ends early: the contract is broken, or it could not be tried. */

/** A stream of which every event is wrong says so often enough. */
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

/** It could not be tried here. */
export class LeftOut extends Error {
  override readonly name = 'LeftOut';
}

export function demand(isSo: boolean, complaint: string): asserts isSo {
  if (!isSo) throw new Violation(complaint);
}

/** One demand, or what is asked for on the way to it. */
type Demand<T> = () => T;

/** What each of them gives, in order; throws all their complaints as one. Anything else that is thrown goes on by itself. */
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
