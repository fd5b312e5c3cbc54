/** The errors that end a check: a violation of the contract, or a reason to skip the check. */

/** Maximum number of mismatches to report, because every event of a wrong stream may have one. */
const MAX_MISMATCHES = 20;

/** Thrown if the deployment breaks the contract, with one or more mismatches. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly mismatches: readonly string[];

  constructor(...messages: readonly string[]) {
    const mismatches =
      messages.length > MAX_MISMATCHES ? [...messages.slice(0, MAX_MISMATCHES), `and ${messages.length - MAX_MISMATCHES} more`] : messages;
    super(mismatches.join('; '));
    this.mismatches = mismatches;
  }
}

/** Thrown if the check can't run here. */
export class SkipCheck extends Error {
  override readonly name = 'LeftOut';
}
