/**
 * Limits that another process counts. The steps of one turn of the event loop are sent together. While that process doesn't respond, each process enforces
 * its part of each limit (promise G11).
 */
import {
  type AcquireResult,
  type Acquisition,
  isRequested,
  type Limit,
  type Limiter,
  type LimitStatus,
  type LimitsState,
  type MemoryLimits,
  openMemoryLimits,
  type Windows,
} from './limiter.ts';

import { type LocalShare, openLocalShare } from './local-share.ts';

class RunningAcquisitions {
  readonly #share: LocalShare;
  /** Removes the slots from this process's own count. Null if the process doesn't count them, or counts them with the acquisition. */
  readonly #calls = new Map<Acquisition, (() => void) | null>();

  constructor(share: LocalShare) {
    this.#share = share;
  }

  begin(acquisition: Acquisition): void {
    if (listSlots(acquisition).length > 0) this.#calls.set(acquisition, null);
  }

  end(acquisition: Acquisition): void {
    this.#calls.get(acquisition)?.();
    this.#calls.delete(acquisition);
  }

  /** The supervisor doesn't respond: counts the slots in this process from now on. */
  startLocalCount(): void {
    for (const [acquisition, uncount] of this.#calls)
      if (!this.#share.has(acquisition)) this.#calls.set(acquisition, uncount ?? this.#share.addSlots(acquisition));
  }

  /** The supervisor responds again. Returns the calls it doesn't know about. */
  stopLocalCount(): Acquisition[] {
    for (const [acquisition, uncount] of this.#calls) {
      uncount?.();
      this.#calls.set(acquisition, null);
    }
    return [...this.#calls.keys()].filter((take) => this.#share.has(take));
  }
}

/** Slots are only observed, because a call in flight is never rejected. */
const toSlotsOnly = (acquisition: Acquisition): Acquisition => ({
  ...acquisition,
  limits: listSlots(acquisition).map((limit): Limit => ({ ...limit, mode: 'observe' })),
  quantities: ['concurrency'],
});

const listSlots = (acquisition: Acquisition): Limit[] =>
  acquisition.limits.filter((limit) => limit.quantity === 'concurrency' && isRequested(acquisition, limit));

interface RemoteLimitsOptions {
  readonly channel: LimitsChannel;
  readonly log: { warn(message: string): void; info(message: string): void };
  /** Counts this process's share of the limits while the supervisor doesn't respond. */
  readonly fallback: MemoryLimits;
  /** The number of processes that share the limits. */
  readonly processes: number;
  /** How long a call waits for a response. */
  readonly waitMs: number;
}

const NO_WINDOWS: Windows = { requests: null, tokens: null };

interface PendingStep {
  readonly step: Step;
  /** Called with null if no response came in time. */
  readonly resolve: (answer: StepResult | null) => void;
}

interface RemoteLimits extends Limiter {
  /** State for readiness and metrics. A process that counts without the supervisor is ready. */
  getState(): LimitsState;
}

export const openRemoteLimits = (options: RemoteLimitsOptions): RemoteLimits => new SupervisedLimits(options);

class SupervisedLimits implements RemoteLimits {
  readonly #options: RemoteLimitsOptions;
  readonly #share: LocalShare;
  readonly #running: RunningAcquisitions;
  readonly #numbers = new WeakMap<Acquisition, number>();
  readonly #sentBatches = new Map<number, { steps: readonly PendingStep[]; timer: NodeJS.Timeout }>();
  #pendingSteps: PendingStep[] = [];
  #lastNumber = 0;
  #lastRequestId = 0;
  /** The time of the first late response, until the next response arrives. While set, calls don't wait. */
  #silentSince: number | null = null;

  constructor(options: RemoteLimitsOptions) {
    this.#options = options;
    this.#share = openLocalShare(options.fallback, () => options.processes);
    this.#running = new RunningAcquisitions(this.#share);
    options.channel.onReply((reply) => this.#receive(reply));
  }

  acquire(acquisition: Acquisition): AcquireResult | Promise<AcquireResult> {
    if (acquisition.limits.length === 0 && !acquisition.replaces) return { kind: 'taken', windows: NO_WINDOWS, observed: [] };
    return this.#silentSince === null ? this.#acquireShared(acquisition) : this.#acquireLocally(acquisition);
  }

  release(acquisition: Acquisition): Windows | Promise<Windows> {
    this.#share.release(acquisition);
    return this.#end(acquisition, (number) => ({ kind: 'give back', number }));
  }

  finish(acquisition: Acquisition, usedTokens: number): Windows | Promise<Windows> {
    this.#running.end(acquisition);
    this.#share.finish(acquisition, usedTokens);
    return this.#end(acquisition, (number) => ({ kind: 'finish', number, usedTokens }));
  }

  peek(limits: readonly Limit[]): Windows | Promise<Windows> {
    return limits.length === 0 ? NO_WINDOWS : this.#report({ kind: 'look', limits }, limits);
  }

  async getStatuses(limits: readonly Limit[]): Promise<readonly LimitStatus[]> {
    const statuses = await this.#enqueueStep({ kind: 'measure', limits });
    // `as`: the result has the type of its step.
    return (statuses as readonly LimitStatus[] | null) ?? this.#share.getStatuses(limits);
  }

  getState(): LimitsState {
    const { processes } = this.#options;
    return this.#silentSince === null ? { kind: 'shared', processes } : { kind: 'own', since: this.#silentSince, processes };
  }

  async close(): Promise<void> {
    for (const { timer } of this.#sentBatches.values()) clearTimeout(timer);
    this.#send();
    await this.#options.fallback.close();
  }

  async #acquireShared(acquisition: Acquisition): Promise<AcquireResult> {
    const { replaces = null, ...fields } = acquisition;
    const number = ++this.#lastNumber;
    const replacedNumber = (replaces && this.#numbers.get(replaces)) ?? null;
    const reply = await this.#enqueueStep({ kind: 'take', number, take: { ...fields, replaces: replacedNumber } });
    if (reply === null) {
      // The supervisor may still run the step. Steps run in order, so this one comes after it.
      void this.#enqueueStep(acquisition.isProvisional ? { kind: 'give back', number } : { kind: 'finish', number, usedTokens: 0 });
      return this.#acquireLocally(acquisition);
    }
    const result = reply as AcquireResult;
    if (result.kind === 'rejected') return result;
    this.#numbers.set(acquisition, number);
    if (replaces) this.#share.release(replaces);
    this.#running.begin(acquisition);
    return result;
  }

  #acquireLocally(acquisition: Acquisition): AcquireResult {
    const result = this.#share.acquire(acquisition);
    if (result.kind === 'rejected') return result;
    if (acquisition.replaces) void this.#end(acquisition.replaces, (number) => ({ kind: 'give back', number }));
    this.#running.begin(acquisition);
    return result;
  }

  /** Reports the end of an acquisition that the supervisor may have counted. */
  #end(acquisition: Acquisition, createStep: (number: number) => Step): Windows | Promise<Windows> {
    const number = this.#numbers.get(acquisition);
    this.#numbers.delete(acquisition);
    if (number !== undefined) return this.#report(createStep(number), acquisition.limits);
    return this.#silentSince === null ? NO_WINDOWS : this.#share.peek(acquisition.limits);
  }

  async #report(step: Step, limits: readonly Limit[]): Promise<Windows> {
    return ((await this.#enqueueStep(step)) as Windows | null) ?? this.#share.peek(limits);
  }

  #enqueueStep(step: Step): Promise<StepResult | null> {
    const { promise, resolve } = Promise.withResolvers<StepResult | null>();
    if (this.#pendingSteps.length === 0) setImmediate(() => this.#send());
    this.#pendingSteps.push({ step, resolve });
    return promise;
  }

  #send(): void {
    const steps = this.#pendingSteps;
    if (steps.length === 0) return;
    this.#pendingSteps = [];
    const id = ++this.#lastRequestId;
    // While the supervisor is silent, no step waits for it.
    const waitMs = this.#silentSince === null ? this.#options.waitMs : 0;
    // After a pause of this process, the response may have arrived already. It's read before the turn ends.
    const timer = setTimeout(() => setImmediate(() => this.#handleTimeout(id)), waitMs);
    this.#sentBatches.set(id, { steps, timer });
    this.#options.channel.ask({ id, steps: steps.map(({ step }) => step) });
  }

  #handleTimeout(id: number): void {
    const lateBatch = this.#sentBatches.get(id);
    if (!this.#sentBatches.delete(id)) return;
    if (this.#silentSince === null) {
      this.#silentSince = Date.now();
      this.#running.startLocalCount();
      this.#options.log.warn("supervisor doesn't respond; enforcing this process's share of each limit");
    }
    for (const { resolve } of lateBatch?.steps ?? []) resolve(null);
  }

  #receive({ id, answers }: LimitsResponse): void {
    if (this.#silentSince !== null) this.#recover();
    const sentBatch = this.#sentBatches.get(id);
    if (!sentBatch) return;
    this.#sentBatches.delete(id);
    clearTimeout(sentBatch.timer);
    for (const [index, { resolve }] of sentBatch.steps.entries()) resolve(answers[index] ?? null);
  }

  #recover(): void {
    this.#silentSince = null;
    for (const acquisition of this.#running.stopLocalCount()) {
      const number = ++this.#lastNumber;
      this.#numbers.set(acquisition, number);
      void this.#enqueueStep({ kind: 'take', number, take: { ...toSlotsOnly(acquisition), replaces: null } });
    }
    this.#options.log.info('supervisor responds again; limits are shared');
  }
}

export class LimitCounter {
  readonly #limits: MemoryLimits;
  /** Open acquisitions, by process and by that process's number for them. */
  readonly #openAcquisitions = new Map<number, Map<number, Acquisition>>();

  constructor(limits: MemoryLimits = openMemoryLimits()) {
    this.#limits = limits;
  }

  handle(clientId: number, { id, steps }: LimitsRequest): LimitsResponse {
    const openAcquisitions = this.#openAcquisitions.get(clientId) ?? new Map<number, Acquisition>();
    this.#openAcquisitions.set(clientId, openAcquisitions);
    return { id, answers: steps.map((step) => this.#run(openAcquisitions, step)) };
  }

  /** The process has ended. Releases its slots, but keeps the tokens of its calls counted, because upstreams may have used them. */
  forget(clientId: number): void {
    for (const acquisition of this.#openAcquisitions.get(clientId)?.values() ?? []) {
      if (acquisition.isProvisional) this.#limits.release(acquisition);
      else this.#limits.finish({ ...acquisition, quantities: ['concurrency'] }, 0);
    }
    this.#openAcquisitions.delete(clientId);
  }

  #run(openAcquisitions: Map<number, Acquisition>, step: Step): StepResult {
    switch (step.kind) {
      case 'take':
        return this.#acquire(openAcquisitions, step.number, step.take);
      case 'look':
        return this.#limits.peek(step.limits);
      case 'measure':
        return this.#limits.getStatuses(step.limits);
      default:
        return this.#end(openAcquisitions, step);
    }
  }

  #acquire(openAcquisitions: Map<number, Acquisition>, number: number, acquisition: NumberedAcquisition): StepResult {
    const newAcquisition: Acquisition = {
      ...acquisition,
      replaces: acquisition.replaces === null ? null : (openAcquisitions.get(acquisition.replaces) ?? null),
    };
    const result = this.#limits.acquire(newAcquisition);
    if (result.kind === 'taken') {
      if (acquisition.replaces !== null) openAcquisitions.delete(acquisition.replaces);
      if (newAcquisition.isProvisional || needsRelease(newAcquisition)) openAcquisitions.set(number, newAcquisition);
    }
    return result;
  }

  #end(openAcquisitions: Map<number, Acquisition>, step: Extract<Step, { number: number }>): StepResult {
    const acquisition = openAcquisitions.get(step.number);
    if (!acquisition) return NO_WINDOWS;
    openAcquisitions.delete(step.number);
    return step.kind === 'finish' ? this.#limits.finish(acquisition, step.usedTokens) : this.#limits.release(acquisition);
  }
}

/** An acquisition of requests alone never needs to be finished. */
const needsRelease = ({ quantities }: Acquisition): boolean => quantities.some((quantity) => quantity !== 'requests');

/** An acquisition, and the number of the one that it replaces. */
type NumberedAcquisition = Omit<Acquisition, 'replaces'> & { readonly replaces: number | null };

/** One step of the limiter. The requesting process numbers its acquisitions. */
type Step =
  | { readonly kind: 'take'; readonly number: number; readonly take: NumberedAcquisition }
  | { readonly kind: 'give back'; readonly number: number }
  | { readonly kind: 'finish'; readonly number: number; readonly usedTokens: number }
  | { readonly kind: 'look'; readonly limits: readonly Limit[] }
  | { readonly kind: 'measure'; readonly limits: readonly Limit[] };

type StepResult = AcquireResult | Windows | readonly LimitStatus[];

/** The steps of one turn of the event loop, run in this order. */
export interface LimitsRequest {
  readonly id: number;
  readonly steps: readonly Step[];
}

export interface LimitsResponse {
  readonly id: number;
  /** One result per step, in the order of the steps. */
  readonly answers: readonly StepResult[];
}

/** The channel to the process that counts. */
export interface LimitsChannel {
  ask(request: LimitsRequest): void;
  onReply(listener: (reply: LimitsResponse) => void): void;
}
