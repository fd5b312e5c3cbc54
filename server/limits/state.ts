/** Whether a process shares its limits with other processes (promise G11). */

export type LimitsState =
  /** `processes` processes share them. */
  | { readonly kind: 'shared'; readonly processes: number }
  /** Each of the `processes` that were alive lately enforces its part, since this time (milliseconds since the epoch). */
  | { readonly kind: 'own'; readonly since: number; readonly processes: number };

export function describeState(state: LimitsState): string {
  return state.kind === 'shared' ? 'limits: shared' : `limits: own share since ${new Date(state.since).toISOString()}`;
}
