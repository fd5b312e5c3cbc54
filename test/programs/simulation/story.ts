/** Runs one seed: it chooses the callers, the responses of the provider and the order of all events, and checks the result. */
import { request } from 'undici';
import { chatCompletion, chatFrames } from '../../fakes/chat.ts';
import { type Ending, json, stream } from '../../fakes/delivery.ts';
import type { FakeRequest } from '../../fakes/exchange.ts';
import { failure, hangUp } from '../../fakes/faults.ts';
import type { Script } from '../../fakes/script.ts';
import { breathe, pass } from './clock.ts';
import { CONCURRENCY, openPlace, type Place, World } from './world.ts';

interface Account {
  readonly id: string;
  readonly key: string;
  readonly opening: bigint;
}

interface Plan {
  readonly name: string;
  readonly account: Account;
  readonly isStream: boolean;
  /** Its idempotency key; null: none. */
  readonly key: string | null;
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number; readonly total_tokens: number };
  readonly disconnects: boolean;
}

interface Told {
  /** Null: the caller has disconnected before it came. */
  status: number | null;
  requestId: string | null;
  code: string | null;
  /** The answer came to its end, and says nothing of an error. */
  isWhole: boolean;
  isReplay: boolean;
}

type Sent = Plan & Told & { readonly leave: AbortController };

const KEYS = [null, null, 'key-a', 'key-b'];
const MAX_STEPS = 600;
/** Of 2 ms each, in which nothing can be chosen: on a busy machine a store takes long. */
const MAX_IDLE = 10_000;
/** The first beats may find the store still failing. */
const MAX_BEATS = 20;

export interface Report {
  readonly seed: number;
  readonly faults: readonly string[];
  readonly trace: readonly string[];
  readonly log: readonly string[];
}

/** Runs the seeds in order on one gateway. Each seed creates its own accounts. */
export async function* tell(seeds: readonly number[]): AsyncGenerator<Report> {
  const world = new World();
  const place = await openPlace(world);
  try {
    for (const seed of seeds) {
      world.begin(seed);
      const story = new Story(world, place, seed);
      const faults = await story
        .run()
        .then(() => story.faults())
        .catch((error: Error) => [error.stack ?? error.message]);
      yield { seed, faults, trace: world.trace, log: world.log };
    }
  } finally {
    world.isCalm = true;
    await place.close();
  }
}

class Story {
  readonly #world: World;
  readonly #place: Place;
  readonly #accounts: Account[] = [];
  readonly #sent: Sent[] = [];
  readonly #running = new Set<Sent>();
  /** Calls by their names: what the vendor has answered with usage, each time. */
  readonly #served = new Map<string, number>();
  readonly #unanswered: string[] = [];
  #wasSilent = false;
  readonly #seed: number;

  constructor(world: World, place: Place, seed: number) {
    this.#world = world;
    this.#place = place;
    this.#seed = seed;
  }

  async run(): Promise<void> {
    const { random } = this.#world;
    for (const name of ['ada', 'bob']) {
      const opening = BigInt(random.pick([3_000, 9_000, 1_000_000]));
      const { key, accountId } = await this.#world.result(this.#place.newKey(`${name}-${this.#seed}`, opening));
      this.#accounts.push({ id: accountId, key, opening });
    }
    this.#place.vendor.clear();
    this.#place.vendor.always((asked) => this.#serve(asked));
    const plans = Array.from({ length: 3 + random.below(6) }, (_, index) => this.#draw(index));
    const left = { ticks: random.below(4), silences: random.chance(0.4) ? 1 : 0 };
    for (let steps = 0, idle = 0; steps < MAX_STEPS && idle < MAX_IDLE; ) {
      await this.#world.quiet();
      pass(10);
      await this.#world.quiet();
      const choices = this.#choices(plans, left);
      if (choices.length > 0) {
        steps++;
        await random.pick(choices)();
        continue;
      }
      if (this.#running.size === 0) return;
      // What is left waits for the disk, or else for time alone.
      await breathe();
      if (++idle % 20 === 0) this.#pass(1_000);
    }
    throw new Error(`not over after ${MAX_STEPS} steps or ${MAX_IDLE} pauses: ${this.#running.size} calls run`);
  }

  /** What may happen next. */
  #choices(plans: Plan[], left: { ticks: number; silences: number }): (() => unknown)[] {
    const choices: (() => unknown)[] = this.#world.gates.map((gate) => () => this.#open(gate));
    for (const call of this.#running) if (call.disconnects && !call.leave.signal.aborted) choices.push(() => this.#leave(call));
    const [plan] = plans;
    if (plan) {
      choices.push(() => {
        plans.shift();
        this.#send(plan);
      });
    }
    if (left.ticks > 0) {
      choices.push(() => {
        left.ticks--;
        this.#pass(this.#world.random.pick([1_000, 2_500, 6_000]));
      });
    }
    // Not before money is held for something.
    if (left.silences > 0 && this.#served.size > 0) {
      choices.push(() => {
        left.silences--;
        return this.#fallSilent();
      });
    }
    return choices;
  }

  #draw(index: number): Plan {
    const { random } = this.#world;
    const [prompt, completion] = [10 + random.below(300), 1 + random.below(400)];
    return {
      name: `call-${index}`,
      account: random.pick(this.#accounts),
      isStream: random.chance(0.5),
      key: random.pick(KEYS),
      usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
      disconnects: random.chance(0.2),
    };
  }

  #open(gate: World['gates'][number]): void {
    this.#world.gates.splice(this.#world.gates.indexOf(gate), 1);
    this.#world.note(`! ${gate.label}`);
    gate.open();
  }

  #pass(ms: number): void {
    this.#world.note(`${ms} ms pass`);
    pass(ms);
  }

  #leave(call: Sent): void {
    this.#world.note(`${call.name} disconnects`);
    call.leave.abort();
  }

  /** For the others this process is dead, and its holds expire; it is not, and goes on. */
  async #fallSilent(): Promise<void> {
    this.#world.note('the process was silent for too long');
    this.#wasSilent = true;
    await this.#world.result(this.#expireAll());
  }

  async #expireAll(): Promise<void> {
    const { ledger } = this.#place;
    const at = await ledger.heartbeat('node_other');
    for await (const orphans of ledger.sweep('node_other', Date.now(), at + 3_600_000)) this.#world.note(`${orphans.length} holds expired`);
  }

  #send(plan: Plan): void {
    const leave = new AbortController();
    const sent: Sent = { ...plan, leave, status: null, requestId: null, code: null, isWhole: false, isReplay: false };
    this.#sent.push(sent);
    this.#running.add(sent);
    this.#world.note(`${plan.name} is sent`);
    const noteEnd = (error?: Error): void => {
      this.#running.delete(sent);
      if (error) this.#unanswered.push(`${plan.name} has no answer: ${error.message}`);
      this.#world.note(`${plan.name} ended: ${sent.status} ${sent.code} ${sent.isWhole ? 'whole' : 'not whole'}`);
    };
    this.#call(sent).then(() => noteEnd(), noteEnd);
  }

  async #call(sent: Sent): Promise<void> {
    const { name, account, isStream, key, leave } = sent;
    // Calls with one key ask for one thing.
    const content = key === null ? name : key;
    const options = isStream ? { stream: true, stream_options: { include_usage: true } } : {};
    const body = JSON.stringify({ model: 'm', max_tokens: 400, messages: [{ role: 'user', content }], ...(key === null ? options : {}) });
    const headers = {
      authorization: `Bearer ${account.key}`,
      'content-type': 'application/json',
      ...(key !== null && { 'idempotency-key': key }),
    };
    try {
      const url = `${this.#place.origin}/v1/chat/completions`;
      const answer = await request(url, { method: 'POST', headers, body, signal: leave.signal, headersTimeout: 0, bodyTimeout: 0 });
      sent.status = answer.statusCode;
      sent.requestId = String(answer.headers['x-request-id']);
      sent.isReplay = answer.headers['idempotent-replayed'] !== undefined;
      const text = await answer.body.text();
      const isEnded = text.startsWith('{') || text.includes('data: [DONE]');
      sent.code = /"code":"(\w+)"/.exec(text)?.[1] ?? null;
      sent.isWhole = answer.statusCode === 200 && isEnded && !text.includes('"error"');
    } catch (error) {
      if (!leave.signal.aborted) throw error;
    }
  }

  async #serve(asked: FakeRequest): Promise<Script> {
    const { random } = this.#world;
    const fields = asked.fields as { messages: { content: string }[]; stream?: boolean };
    const name = fields.messages[0]?.content ?? '';
    if (this.#world.isCalm) return json(chatCompletion());
    const fate = random.pick(['well', 'well', 'well', 'well', 'error', 'refusal', 'cut', 'half'] as const);
    await this.#world.wait(`vendor ${name}`);
    this.#world.note(`vendor ${name}: ${fate}`);
    if (fate === 'error') return failure(500);
    if (fate === 'refusal') return failure(400);
    if (fate === 'cut') return hangUp;
    const { usage } = this.#sent.find((sent) => sent.name === name || sent.key === name) ?? { usage: undefined };
    this.#served.set(name, (this.#served.get(name) ?? 0) + 1);
    if (fields.stream !== true) return json(chatCompletion({ usage }), fate === 'half' ? { stopAfter: { bytes: 40 }, ending: 'cut' } : {});
    const ends = this.#world.wait(`vendor ${name} ends`);
    const frames = chatFrames({ usage, includeUsage: true });
    const half: { stopAfter: { frames: number }; ending: Ending } = { stopAfter: { frames: 3 }, ending: 'cut' };
    return stream([...frames.slice(0, 2), { until: ends }, ...frames.slice(2)], fate === 'half' ? half : {});
  }

  /** What is not as it must be. */
  async faults(): Promise<string[]> {
    const { ledger, gateway } = this.#place;
    this.#world.isCalm = true;
    const faults: string[] = [...this.#unanswered];
    const check = (isSo: boolean, what: string): void => void (isSo || faults.push(what));
    // Heartbeats post the charges of the outbox and give back holds.
    const isSettled = (): boolean => gateway.money?.open.size === 0 && gateway.money.outbox.size === 0;
    await this.#world.until(isSettled, 'all holds end, and the outbox is posted');
    // On a slow machine, time that passes here can bring a charge into the outbox that was on its way to the store.
    for (let beats = 0; beats < MAX_BEATS && ((await this.#isHeld()) || !isSettled()); beats++) {
      pass(6_000);
      await this.#world.quiet();
      await breathe();
    }
    const found = await this.#world.result(ledger.reconcile({ isFull: true }));
    check(found.differences.length + found.unbalanced.length + found.contradictions.length === 0, `the books differ: ${show(found)}`);
    const guarded = this.#world.log.filter((line) => line.includes('constraint failed'));
    check(guarded.length === 0, `only the tables kept the books sound: ${guarded[0]}`);
    for (const account of this.#accounts) faults.push(...(await this.#faultsOf(account)));
    faults.push(...(await this.#stuck()));
    return faults;
  }

  async #isHeld(): Promise<boolean> {
    const balances = await this.#world.result(Promise.all(this.#accounts.map(({ id }) => this.#place.ledger.getBalance(id))));
    return balances.some((one) => one?.held !== 0n);
  }

  async #faultsOf({ id, opening }: Account): Promise<string[]> {
    const { ledger } = this.#place;
    const faults: string[] = [];
    const check = (isSo: boolean, what: string): void => void (isSo || faults.push(what));
    const charges = await ledger.listCharges({ accountId: id, limit: 100 });
    const paid = charges.reduce((sum, { charged }) => sum + charged, 0n);
    const balance = await ledger.getBalance(id);
    check(balance?.held === 0n && balance.balance === opening - paid, `the balance is ${show(balance)} after ${paid} of ${opening}`);
    for (const charge of charges) check(charge.state !== 'held', `${charge.requestId} is held for ever`);
    const own = this.#sent.filter((sent) => sent.account.id === id);
    for (const call of own.filter(({ isReplay }) => !isReplay)) {
      const charge = charges.find(({ requestId }) => requestId === call.requestId);
      const cost = BigInt(call.usage.prompt_tokens + 4 * call.usage.completion_tokens);
      if (call.isWhole && call.key === null) {
        check(charge?.state === 'posted', `${call.name} was served and is ${charge?.state}`);
        const due = charge && cost < charge.held ? cost : (charge?.held ?? 0n);
        check(
          charge?.charged === due || (this.#wasSilent && (charge?.charged ?? 0n) < due),
          `${call.name} costs ${due} and was charged ${charge?.charged}`,
        );
      }
      // If the process was silent, a later call may have claimed the key. The charge is then rejected, and its cost is logged.
      const isLogged = (): boolean =>
        this.#world.log.some((line) => line.includes(`"id":"${call.requestId}"`) && line.includes('not posted'));
      if (call.isWhole && call.key !== null)
        check(charge?.state === 'posted' || (this.#wasSilent && isLogged()), `${call.name} was served and is ${charge?.state}`);
      if (call.status !== null && call.status >= 400 && call.key === null && !this.#served.has(call.name))
        check((charge?.charged ?? 0n) === 0n, `${call.name} failed with ${call.status} and was charged ${charge?.charged}`);
    }
    for (const key of ['key-a', 'key-b']) {
      const paidFor = own.filter((call) => call.key === key && charges.some((one) => one.requestId === call.requestId && one.charged > 0n));
      const whole = new Set(paidFor.filter(({ isWhole, isReplay }) => isWhole && !isReplay).map(({ requestId }) => requestId));
      check(whole.size <= 1, `${key} was answered and charged ${whole.size} times`);
    }
    return faults;
  }

  /** Nothing is left behind that keeps later calls away: the slots of each key are free, and so are its idempotency keys. */
  async #stuck(): Promise<string[]> {
    const faults: string[] = [];
    for (const [index, { id, key }] of this.#accounts.entries()) {
      await this.#world.result(
        this.#place.ledger.adjust({
          accountId: id,
          transfer: `more ${this.#seed} ${index}`,
          kind: 'top_up',
          amount: 10_000_000n,
          note: null,
          at: Date.now(),
        }),
      );
      const ask = (idempotencyKey: string | null, content: string): Promise<number> => {
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
        const body = JSON.stringify({ model: 'm', max_tokens: 400, messages: [{ role: 'user', content }] });
        const all = idempotencyKey === null ? headers : { ...headers, 'idempotency-key': idempotencyKey };
        return request(`${this.#place.origin}/v1/chat/completions`, { method: 'POST', headers: all, body }).then(async (answer) => {
          await answer.body.dump();
          return answer.statusCode;
        });
      };
      const free = await Promise.all(Array.from({ length: CONCURRENCY }, (_, call) => this.#world.result(ask(null, `free ${call}`))));
      if (free.some((status) => status !== 200)) faults.push(`not all slots of ${id} are free: ${free.join(' ')}`);
      for (const name of ['key-a', 'key-b']) {
        const status = await this.#world.result(ask(name, name));
        // A charge that came late, by the outbox, has the key and no answer: rather that than a second charge.
        if (status !== 200 && !(this.#wasSilent && status === 409)) faults.push(`${name} of ${id} is stuck: ${status}`);
      }
    }
    return faults;
  }
}

const show = (value: unknown): string => JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one));
