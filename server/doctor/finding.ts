/** The result of `modelgate doctor` for one part: its state, the time, and what to do. Contains no secret. */

export type State = 'ok' | 'warning' | 'fault' | 'skipped';

export interface Verdict {
  readonly state: State;
  readonly detail: string;
  /** What to do; absent when the part is fine. */
  readonly hint?: string;
}
export interface Finding extends Verdict {
  readonly part: string;
  readonly ms: number;
}

export const ok = (detail: string): Verdict => ({ state: 'ok', detail });
export const warning = (detail: string, hint: string): Verdict => ({ state: 'warning', detail, hint });
export const fault = (detail: string, hint: string): Verdict => ({ state: 'fault', detail, hint });
export const skipped = (detail: string): Verdict => ({ state: 'skipped', detail });

/** An unexpected error counts as a fault of the part, described by its code or its first line. */
export async function examine(part: string, work: () => Verdict | Promise<Verdict>): Promise<Finding> {
  const startedAt = performance.now();
  const verdict = await attempt(work);
  return { part, ...verdict, ms: Math.round((performance.now() - startedAt) * 10) / 10 };
}

async function attempt(work: () => Verdict | Promise<Verdict>): Promise<Verdict> {
  try {
    return await work();
  } catch (error) {
    return fault(reasonOf(error), 'See docs/guides/operating.md for this part.');
  }
}

/** Addresses may contain passwords: what looks like one is removed. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // When several addresses failed, Node gives only a code.
  const text = error.message === '' && 'code' in error ? String(error.code) : error.message;
  // The message of a failed fetch has no reason; its cause has.
  if (text === 'fetch failed' && error.cause instanceof Error) return reasonOf(error.cause);
  const [line = ''] = text.split('\n');
  return line.replace(/\w+:\/\/\S*/g, '[address]').slice(0, 300);
}

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

export async function timed<T>(work: () => T | Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const startedAt = performance.now();
  const value = await work();
  return { value, ms: performance.now() - startedAt };
}

export const milliseconds = (ms: number): string => (ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`);
