/** The words in which a check ends early: the contract is broken, or it could not be tried. */

/** The deployment does not keep the contract. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** It could not be tried here. */
export class LeftOut extends Error {
  override readonly name = 'LeftOut';
}

export function demand(isSo: boolean, complaint: string): asserts isSo {
  if (!isSo) throw new Violation(complaint);
}
