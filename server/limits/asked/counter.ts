/** Counts the limits of several processes in one, and remembers whose calls they are: those of a process that died end with it (promise G11). */
import type { Take, Windows } from '../limiter.ts';
import { type MemoryLimits, openMemoryLimits } from '../memory.ts';
import type { Answer, NumberedTake, Question, Reply, Step } from './messages.ts';

const NONE: Windows = { requests: null, tokens: null };

export class LimitCounter {
  readonly #limits: MemoryLimits;
  /** The takes that have not ended, by the process that asked and its number of them. */
  readonly #open = new Map<number, Map<number, Take>>();

  constructor(limits: MemoryLimits = openMemoryLimits(() => performance.now())) {
    this.#limits = limits;
  }

  answer(asker: number, { id, steps }: Question): Reply {
    const open = this.#open.get(asker) ?? new Map<number, Take>();
    this.#open.set(asker, open);
    return { id, answers: steps.map((step) => this.#run(open, step)) };
  }

  /** The process has ended: its slots become free, and the tokens of its calls stay counted, because upstreams may have used them. */
  forget(asker: number): void {
    for (const take of this.#open.get(asker)?.values() ?? []) {
      if (take.isProvisional) this.#limits.giveBack(take);
      else this.#limits.finish({ ...take, quantities: ['concurrency'] }, 0);
    }
    this.#open.delete(asker);
  }

  #run(open: Map<number, Take>, step: Step): Answer {
    switch (step.kind) {
      case 'take':
        return this.#take(open, step.number, step.take);
      case 'look':
        return told(this.#limits.look(step.limits));
      case 'measure':
        return this.#limits.measure(step.limits);
      default:
        return this.#end(open, step);
    }
  }

  #take(open: Map<number, Take>, number: number, asked: NumberedTake): Answer {
    const take: Take = { ...asked, replaces: asked.replaces === null ? null : (open.get(asked.replaces) ?? null) };
    const taken = this.#limits.take(take);
    if (taken.kind === 'taken') {
      if (asked.replaces !== null) open.delete(asked.replaces);
      if (take.isProvisional || endsLater(take)) open.set(number, take);
    }
    return { ...taken, windows: told(taken.windows) };
  }

  #end(open: Map<number, Take>, step: Extract<Step, { number: number }>): Answer {
    const take = open.get(step.number);
    if (!take) return NONE;
    open.delete(step.number);
    return told(step.kind === 'finish' ? this.#limits.finish(take, step.usedTokens) : this.#limits.giveBack(take));
  }
}

/** A request that is only counted has no end. */
const endsLater = ({ quantities }: Take): boolean => quantities.some((quantity) => quantity !== 'requests');

/** As plain values: the limiter computes windows when they are read. */
const told = ({ requests, tokens }: Windows): Windows => ({ requests, tokens });
