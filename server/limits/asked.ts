/** Limits that another process counts: the steps of one turn of the event loop are asked together. While it doesn't answer, each process enforces its part of each limit (promise G11). */
import {
  isAsked,
  type Limit,
  type LimitStore,
  type LimitsState,
  type MemoryLimits,
  openMemoryLimits,
  type Standing,
  type Take,
  type Taken,
  type Windows,
} from './limiter.ts';
import { type OwnShare, openOwnShare } from './redis/outage.ts';

export class RunningTakes {
  readonly #share: OwnShare;
  /** How this process's own count of it ends; null if the process doesn't count it, or counts it by its take. */
  readonly #calls = new Map<Take, (() => void) | null>();

  constructor(share: OwnShare) {
    this.#share = share;
  }

  begin(take: Take): void {
    if (slotsOf(take).length > 0) this.#calls.set(take, null);
  }

  end(take: Take): void {
    this.#calls.get(take)?.();
    this.#calls.delete(take);
  }

  /** The supervisor doesn't respond: from now on the process counts these slots itself. */
  moveHere(): void {
    for (const [take, uncount] of this.#calls) if (!this.#share.has(take)) this.#calls.set(take, uncount ?? this.#share.addSlots(take));
  }

  /** The counter answers again. Returns the calls that it hasn't heard of. */
  moveBack(): Take[] {
    for (const [take, uncount] of this.#calls) {
      uncount?.();
      this.#calls.set(take, null);
    }
    return [...this.#calls.keys()].filter((take) => this.#share.has(take));
  }
}

/** A running call is never rejected: its slots are observed. */
export const slotsOnly = (take: Take): Take => ({
  ...take,
  limits: slotsOf(take).map((limit): Limit => ({ ...limit, mode: 'observe' })),
  quantities: ['concurrency'],
});

const slotsOf = (take: Take): Limit[] => take.limits.filter((limit) => limit.quantity === 'concurrency' && isAsked(take, limit));

interface AskedLimitsOptions {
  readonly channel: LimitsChannel;
  readonly log: { warn(message: string): void; info(message: string): void };
  /** Counts this process's part of the limits while the supervisor doesn't respond. */
  readonly fallback: MemoryLimits;
  /** How many processes ask. */
  readonly processes: number;
  /** How long a call waits for a response. */
  readonly waitMs: number;
}

const NONE: Windows = { requests: null, tokens: null };

interface Waiting {
  readonly step: Step;
  /** Null: no response came in time. */
  readonly resolve: (answer: Answer | null) => void;
}

interface Sent {
  readonly steps: readonly Waiting[];
  readonly timer: NodeJS.Timeout;
}

interface AskedLimits extends LimitStore {
  /** State for readiness and metrics. A process that counts without the supervisor is ready. */
  state(): LimitsState;
}

export const openAskedLimits = (options: AskedLimitsOptions): AskedLimits => new CountedElsewhere(options);

class CountedElsewhere implements AskedLimits {
  readonly #options: AskedLimitsOptions;
  readonly #share: OwnShare;
  readonly #running: RunningTakes;
  readonly #numbers = new WeakMap<Take, number>();
  readonly #sent = new Map<number, Sent>();
  #waiting: Waiting[] = [];
  #lastTake = 0;
  #lastQuestion = 0;
  /** Since when nothing has come back, after a response was late: until one comes, calls aren't kept waiting. */
  #silentSince: number | null = null;

  constructor(options: AskedLimitsOptions) {
    this.#options = options;
    this.#share = openOwnShare(options.fallback, () => options.processes);
    this.#running = new RunningTakes(this.#share);
    options.channel.onReply((reply) => this.#receive(reply));
  }

  take(take: Take): Taken | Promise<Taken> {
    if (take.limits.length === 0 && !take.replaces) return { kind: 'taken', windows: NONE, observed: [] };
    return this.#silentSince === null ? this.#takeShared(take) : this.#takeOwn(take);
  }

  giveBack(take: Take): Windows | Promise<Windows> {
    this.#share.giveBack(take);
    return this.#end(take, (number) => ({ kind: 'give back', number }));
  }

  finish(take: Take, usedTokens: number): Windows | Promise<Windows> {
    this.#running.end(take);
    this.#share.finish(take, usedTokens);
    return this.#end(take, (number) => ({ kind: 'finish', number, usedTokens }));
  }

  look(limits: readonly Limit[]): Windows | Promise<Windows> {
    return limits.length === 0 ? NONE : this.#report({ kind: 'look', limits }, limits);
  }

  async measure(limits: readonly Limit[]): Promise<readonly Standing[]> {
    const answer = await this.#ask({ kind: 'measure', limits });
    // `as`: the answer to a step has the type that belongs to the step.
    return (answer as readonly Standing[] | null) ?? this.#share.measure(limits);
  }

  state(): LimitsState {
    const { processes } = this.#options;
    return this.#silentSince === null ? { kind: 'shared', processes } : { kind: 'own', since: this.#silentSince, processes };
  }

  async close(): Promise<void> {
    for (const { timer } of this.#sent.values()) clearTimeout(timer);
    this.#send();
    await this.#options.fallback.close();
  }

  async #takeShared(take: Take): Promise<Taken> {
    const { replaces = null, ...asked } = take;
    const number = ++this.#lastTake;
    const replaced = (replaces && this.#numbers.get(replaces)) ?? null;
    const answer = await this.#ask({ kind: 'take', number, take: { ...asked, replaces: replaced } });
    if (answer === null) {
      // It may still be executed: steps are executed in order, so this one comes after it.
      void this.#ask(take.isProvisional ? { kind: 'give back', number } : { kind: 'finish', number, usedTokens: 0 });
      return this.#takeOwn(take);
    }
    const taken = answer as Taken;
    if (taken.kind === 'rejected') return taken;
    this.#numbers.set(take, number);
    if (replaces) this.#share.giveBack(replaces);
    this.#running.begin(take);
    return taken;
  }

  #takeOwn(take: Take): Taken {
    const taken = this.#share.take(take);
    if (taken.kind === 'rejected') return taken;
    if (take.replaces) void this.#end(take.replaces, (number) => ({ kind: 'give back', number }));
    this.#running.begin(take);
    return taken;
  }

  /** Reports the end of a take that the other process may have counted. */
  #end(take: Take, stepOf: (number: number) => Step): Windows | Promise<Windows> {
    const number = this.#numbers.get(take);
    this.#numbers.delete(take);
    if (number !== undefined) return this.#report(stepOf(number), take.limits);
    return this.#silentSince === null ? NONE : this.#share.look(take.limits);
  }

  async #report(step: Step, limits: readonly Limit[]): Promise<Windows> {
    return ((await this.#ask(step)) as Windows | null) ?? this.#share.look(limits);
  }

  #ask(step: Step): Promise<Answer | null> {
    const { promise, resolve } = Promise.withResolvers<Answer | null>();
    if (this.#waiting.length === 0) setImmediate(() => this.#send());
    this.#waiting.push({ step, resolve });
    return promise;
  }

  #send(): void {
    const steps = this.#waiting;
    if (steps.length === 0) return;
    this.#waiting = [];
    const id = ++this.#lastQuestion;
    // Reporting the end of a call doesn't wait for a silent supervisor.
    const waitMs = this.#silentSince === null ? this.#options.waitMs : 0;
    // After a pause of this process itself, the response may be here already: it is read before the turn ends.
    const timer = setTimeout(() => setImmediate(() => this.#late(id)), waitMs);
    this.#sent.set(id, { steps, timer });
    this.#options.channel.ask({ id, steps: steps.map(({ step }) => step) });
  }

  #late(id: number): void {
    const late = this.#sent.get(id);
    if (!this.#sent.delete(id)) return;
    if (this.#silentSince === null) {
      this.#silentSince = Date.now();
      this.#running.moveHere();
      this.#options.log.warn("supervisor doesn't respond; enforcing this process's share of each limit");
    }
    for (const { resolve } of late?.steps ?? []) resolve(null);
  }

  #receive({ id, answers }: Reply): void {
    if (this.#silentSince !== null) this.#rise();
    const sent = this.#sent.get(id);
    if (!sent) return;
    this.#sent.delete(id);
    clearTimeout(sent.timer);
    for (const [at, { resolve }] of sent.steps.entries()) resolve(answers[at] ?? null);
  }

  #rise(): void {
    this.#silentSince = null;
    for (const take of this.#running.moveBack()) {
      const number = ++this.#lastTake;
      this.#numbers.set(take, number);
      void this.#ask({ kind: 'take', number, take: { ...slotsOnly(take), replaces: null } });
    }
    this.#options.log.info('supervisor responds again; limits are shared');
  }
}

export class LimitCounter {
  readonly #limits: MemoryLimits;
  /** The takes that haven't ended, by the process that asked and its number of them. */
  readonly #open = new Map<number, Map<number, Take>>();

  constructor(limits: MemoryLimits = openMemoryLimits()) {
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

/** A take, and the number of the one that it replaces. */
type NumberedTake = Omit<Take, 'replaces'> & { readonly replaces: number | null };

/** One step of the limiter. The process that asks numbers its takes. */
type Step =
  | { readonly kind: 'take'; readonly number: number; readonly take: NumberedTake }
  | { readonly kind: 'give back'; readonly number: number }
  | { readonly kind: 'finish'; readonly number: number; readonly usedTokens: number }
  | { readonly kind: 'look'; readonly limits: readonly Limit[] }
  | { readonly kind: 'measure'; readonly limits: readonly Limit[] };

type Answer = Taken | Windows | readonly Standing[];

/** The steps of one turn of the event loop, executed in this order. */
export interface Question {
  readonly id: number;
  readonly steps: readonly Step[];
}

export interface Reply {
  readonly id: number;
  /** One for each step, in the order of the steps. */
  readonly answers: readonly Answer[];
}

/** The way to the process that counts. */
export interface LimitsChannel {
  ask(question: Question): void;
  onReply(listener: (reply: Reply) => void): void;
}
