/** Defines the result of a check of `modelgate doctor`, and runs a check: times it, and turns an error into a fault. */

export const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

type CheckState = 'ok' | 'warning' | 'fault' | 'skipped';

export interface CheckResult {
  readonly state: CheckState;
  readonly detail: string;
  /** Says what to do. Omitted if everything is OK. */
  readonly hint?: string;
}

export interface Finding extends CheckResult {
  readonly part: string;
  readonly ms: number;
}

export const reportOk = (detail: string): CheckResult => ({ state: 'ok', detail });

export const reportWarning = (detail: string, hint: string): CheckResult => ({ state: 'warning', detail, hint });

export const reportFault = (detail: string, hint: string): CheckResult => ({ state: 'fault', detail, hint });

export const reportSkipped = (detail: string): CheckResult => ({ state: 'skipped', detail });

/** Runs a check. An unexpected error counts as a fault, described by its code or its first line. */
export async function runCheck(part: string, check: () => CheckResult | Promise<CheckResult>): Promise<Finding> {
  const startedAt = performance.now();
  const result = await tryCheck(check);
  return { part, ...result, ms: Math.round((performance.now() - startedAt) * 10) / 10 };
}

async function tryCheck(check: () => CheckResult | Promise<CheckResult>): Promise<CheckResult> {
  try {
    return await check();
  } catch (error) {
    return reportFault(getReason(error), 'See docs/guides/operating.md for this part.');
  }
}

/** Removes everything that looks like a URL, because URLs can contain passwords. */
export function getReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // If several addresses failed, Node's error has only a code.
  const text = error.message === '' && 'code' in error ? String(error.code) : error.message;
  // The message of a failed fetch has no reason, but its cause does.
  if (text === 'fetch failed' && error.cause instanceof Error) return getReason(error.cause);
  const [firstLine = ''] = text.split('\n');
  return firstLine.replace(/\w+:\/\/\S*/g, '[address]').slice(0, 300);
}

export const getErrorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

export async function measureTime<T>(work: () => T | Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const startedAt = performance.now();
  const value = await work();
  return { value, ms: performance.now() - startedAt };
}

export const formatMilliseconds = (ms: number): string => (ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`);
