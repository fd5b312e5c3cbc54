/** What was asked and what came of it, by family: the numbers that a run is judged by. */
import type { Answer } from './lane.ts';

interface Count {
  cases: number;
  readonly statuses: Map<number, number>;
  slowestMs: number;
  /** The beginning of the request that took longest. */
  slowest: string;
  busyMs: number;
  blockedMs: number;
  yardstickMs: number;
  readonly startedAt: number;
  endedAt: number;
}

export class Tally {
  readonly #families = new Map<string, Count>();
  #current = '';
  #rejected: string[] = [];
  #paid: string[] = [];

  /** Families are run one after the other. */
  begin(family: string): void {
    this.#current = family;
    this.#count(family).cases++;
  }

  note({ status, headers }: Answer, tookMs = 0, request = ''): void {
    const count = this.#count(this.#current);
    count.statuses.set(status, (count.statuses.get(status) ?? 0) + 1);
    if (tookMs > count.slowestMs) Object.assign(count, { slowestMs: tookMs, slowest: request });
    const id = headers['x-request-id'] ?? '';
    if (status >= 400) this.#rejected.push(id);
    // Told to every caller whose call was paid for.
    else if (headers['x-modelgate-cost'] !== undefined) this.#paid.push(id);
  }

  tell(family: string, measured: Pick<Count, 'busyMs' | 'blockedMs' | 'yardstickMs'>): void {
    Object.assign(this.#count(family), measured, { endedAt: performance.now() });
  }

  /** Ids of requests that cost nothing, since the last time. */
  takeRejected(): readonly string[] {
    return this.#rejected.splice(0);
  }

  takePaid(): readonly string[] {
    return this.#paid.splice(0);
  }

  get cases(): number {
    return [...this.#families.values()].reduce((sum, { cases }) => sum + cases, 0);
  }

  /** Which part of a family's answers was a success. */
  servedShare(family: string): number {
    const all = [...this.#count(family).statuses];
    const sum = (list: readonly (readonly [number, number])[]): number => list.reduce((total, [, times]) => total + times, 0);
    return sum(all.filter(([status]) => status < 400)) / Math.max(sum(all), 1);
  }

  slowestOf(family: string): string {
    return this.#count(family).slowest;
  }

  /** One line for each family. */
  report(): string {
    const lines = [...this.#families].map(([name, { cases, statuses, slowestMs, busyMs, blockedMs, yardstickMs, startedAt, endedAt }]) => {
      const told = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}×${times}`);
      const times = `slowest ${slowestMs.toFixed()} ms, loop busy ${busyMs.toFixed()} ms of ${yardstickMs.toFixed()} (by the clock ${blockedMs.toFixed()} ms)`;
      return `${name}: ${cases} cases in ${((endedAt - startedAt) / 1000).toFixed(1)} s, ${told.join(' ')}, ${times}`;
    });
    return [...lines, `${this.cases} cases in all`].join('\n');
  }

  #count(family: string): Count {
    const known = this.#families.get(family) ?? {
      cases: 0,
      statuses: new Map(),
      slowestMs: 0,
      slowest: '',
      busyMs: 0,
      blockedMs: 0,
      yardstickMs: 0,
      startedAt: performance.now(),
      endedAt: Number.NaN,
    };
    this.#families.set(family, known);
    return known;
  }
}
