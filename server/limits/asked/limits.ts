/** Limits that another process counts: the steps of one turn of the event loop are asked together (promise G11). */
import { type AnyCode, GatewayError } from '../../errors.ts';
import type { Limit, LimitStore, Standing, Take, Taken, Windows } from '../limiter.ts';
import type { Answer, LimitsChannel, Reply, Step } from './messages.ts';

export interface AskedLimitsOptions {
  readonly channel: LimitsChannel;
  readonly log: { warn(message: string): void; info(message: string): void };
  /** How long a call waits for an answer. */
  readonly waitMs: number;
}

const NONE: Windows = { requests: null, tokens: null };

interface Waiting {
  readonly step: Step;
  /** Null: no answer came in time. */
  readonly resolve: (answer: Answer | null) => void;
}

interface Sent {
  readonly steps: readonly Waiting[];
  readonly timer: NodeJS.Timeout;
}

export function openAskedLimits(options: AskedLimitsOptions): LimitStore {
  return new AskedLimits(options);
}

class AskedLimits implements LimitStore {
  readonly #options: AskedLimitsOptions;
  readonly #numbers = new WeakMap<Take, number>();
  readonly #sent = new Map<number, Sent>();
  #waiting: Waiting[] = [];
  #lastTake = 0;
  #lastQuestion = 0;
  /** Nothing has come back since an answer was late: calls are refused without a wait. */
  #isSilent = false;

  constructor(options: AskedLimitsOptions) {
    this.#options = options;
    options.channel.onReply((reply) => this.#receive(reply));
  }

  take(take: Take): Taken | Promise<Taken> {
    const { replaces = null, ...asked } = take;
    if (take.limits.length === 0 && !replaces) return { kind: 'taken', windows: NONE, observed: [] };
    return this.#take(take, { ...asked, replaces: (replaces && this.#numbers.get(replaces)) ?? null });
  }

  giveBack(take: Take): Windows | Promise<Windows> {
    const number = this.#numbers.get(take);
    return number === undefined ? NONE : this.#tell({ kind: 'give back', number });
  }

  finish(take: Take, usedTokens: number): Windows | Promise<Windows> {
    const number = this.#numbers.get(take);
    return number === undefined ? NONE : this.#tell({ kind: 'finish', number, usedTokens });
  }

  look(limits: readonly Limit[]): Windows | Promise<Windows> {
    return limits.length === 0 ? NONE : this.#tell({ kind: 'look', limits });
  }

  async measure(limits: readonly Limit[]): Promise<readonly Standing[]> {
    const answer = await this.#ask({ kind: 'measure', limits });
    // `as`: the answer to a step has the type that belongs to the step.
    return (answer as readonly Standing[] | null) ?? limits.map(unused);
  }

  async close(): Promise<void> {
    for (const { timer } of this.#sent.values()) clearTimeout(timer);
    this.#send();
  }

  async #take(own: Take, take: Extract<Step, { kind: 'take' }>['take']): Promise<Taken> {
    if (this.#isSilent) throw unanswered();
    const number = ++this.#lastTake;
    const answer = await this.#ask({ kind: 'take', number, take });
    if (answer === null) {
      // It may still be executed: steps are executed in order, so this one comes after it.
      void this.#ask(take.isProvisional ? { kind: 'give back', number } : { kind: 'finish', number, usedTokens: 0 });
      throw unanswered();
    }
    this.#numbers.set(own, number);
    return answer as Taken;
  }

  async #tell(step: Step): Promise<Windows> {
    return ((await this.#ask(step)) as Windows | null) ?? NONE;
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
    // Whoever tells the end of a call does not wait for one that is silent.
    const waitMs = this.#isSilent ? 0 : this.#options.waitMs;
    // After a pause of this process itself, the answer may be here already: it is read before the turn ends.
    const timer = setTimeout(() => setImmediate(() => this.#late(id)), waitMs);
    this.#sent.set(id, { steps, timer });
    this.#options.channel.ask({ id, steps: steps.map(({ step }) => step) });
  }

  #late(id: number): void {
    const late = this.#sent.get(id);
    if (!this.#sent.delete(id)) return;
    if (!this.#isSilent) this.#options.log.warn('the supervisor does not answer; calls with limits are refused until it does');
    this.#isSilent = true;
    for (const { resolve } of late?.steps ?? []) resolve(null);
  }

  #receive({ id, answers }: Reply): void {
    if (this.#isSilent) this.#options.log.info('the supervisor answers again');
    this.#isSilent = false;
    const sent = this.#sent.get(id);
    if (!sent) return;
    this.#sent.delete(id);
    clearTimeout(sent.timer);
    for (const [at, { resolve }] of sent.steps.entries()) resolve(answers[at] ?? null);
  }
}

const unanswered = (): GatewayError<AnyCode> =>
  new GatewayError<AnyCode>('overloaded', {
    headers: { 'retry-after': '1' },
    cause: new Error('the supervisor, which counts the limits, did not answer'),
  });

const unused = ({ quantity, most }: Limit): Standing => ({ most, remaining: most, resetMs: quantity === 'concurrency' ? null : 0 });
