/** Opens a gateway whose model has two fake vendors as candidates, for one test or for all tests of a file. */
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { ChargeRecord } from '../../../server/money/store.ts';
import { chatCompletion, chatFrames } from '../../fakes/chat.ts';
import { json, stream } from '../../fakes/delivery.ts';
import type { Script } from '../../fakes/script.ts';
import { type Fake, openFake } from '../../fakes/upstream.ts';
import { endedCharge } from '../../harness/ended-charge.ts';
import { startGateway, type TestGateway } from '../../harness/gateway.ts';
import { waitsOf } from '../../harness/vendor.ts';

export interface Stage {
  readonly gateway: TestGateway;
  readonly main: Fake;
  readonly backup: Fake;
  /** The text model of the test. */
  readonly model: string;
  /** A chat call with these fields. */
  ask(fields?: Record<string, unknown>, init?: { key?: string; signal?: AbortSignal }): Promise<Response>;
  /** The number of requests to each vendor. */
  asked(): readonly number[];
  /** The state of the circuit breakers, such as `main open`. */
  health(): readonly string[];
  /** The charge of a call that has ended. */
  chargeOf(answer: Response): Promise<ChargeRecord>;
}

interface Order {
  readonly routing?: Record<string, unknown>;
  /** The candidates of the model; by default `main` before `backup`. */
  readonly candidates?: readonly Record<string, unknown>[];
  /** Settings of `main`, such as timeouts; the default ones are long. */
  readonly main?: Record<string, unknown>;
}

export const mainFirst = [{ upstream: 'main' }, { upstream: 'backup', priority: 2 }] as const;
export const alone = [{ upstream: 'main' }] as const;

interface Opened extends Omit<Stage, 'model'> {
  model: string;
  close(): Promise<void>;
}

async function open({ routing = {}, candidates = mainFirst, main: more = {} }: Order, models: readonly string[]): Promise<Opened> {
  const [main, backup] = [await openFake(), await openFake()];
  const place = (fake: Fake) => ({ kind: 'openai', baseUrl: fake.url, apiKey: 'sk-vendor', ...waitsOf({}) });
  const gateway = await startGateway({
    upstreams: { main: { ...place(main), ...more }, backup: place(backup) },
    models: [
      // Each model has different names at the vendors, because a circuit breaker belongs to a name.
      ...models.map((id) => ({ id, kind: 'text', candidates: candidates.map((candidate) => ({ upstreamModel: id, ...candidate })) })),
      { id: 'drawn', kind: 'image', candidates: mainFirst.map((candidate) => ({ ...candidate })) },
    ],
    routing: { breaker: { failures: 100 }, ...routing },
  });
  const ledger = gateway.gateway.money?.ledger ?? expect.fail('billing is off');
  const messages = [{ role: 'user', content: 'Hello.' }];
  const opened: Opened = {
    gateway,
    main,
    backup,
    model: models[0] ?? expect.fail('no model'),
    ask: (fields, init) =>
      gateway.call('/chat/completions', { method: 'POST', json: { model: opened.model, messages, ...fields }, ...init }),
    asked: () => [main.requests.length, backup.requests.length],
    health: () =>
      gateway.gateway.health
        .getStates()
        .filter(({ upstreamModel }) => upstreamModel === opened.model)
        .map(({ upstream, state }) => `${upstream} ${state}`),
    chargeOf: (answer) => endedCharge(ledger, answer.headers.get('x-request-id') ?? ''),
    async close() {
      await gateway.close();
      await main.close();
      await backup.close();
    },
  };
  return opened;
}

export async function openStage(order: Order = {}): Promise<Stage> {
  const stage = await open(order, ['m']);
  onTestFinished(stage.close);
  return stage;
}

/** More than the tests of any file. */
const MODELS = Array.from({ length: 60 }, (_, index) => `m-${index}`);

/** Opens one gateway for all tests of a file or a describe block. Each test has a separate model with separate circuit breakers and waits. */
export function useStage(order: Order = {}): () => Stage {
  let stage: Opened | null = null;
  const unused = [...MODELS];
  const opened = (): Opened => stage ?? expect.fail('used before the tests of the file began');
  beforeAll(async () => {
    stage = await open(order, MODELS);
  });
  beforeEach(() => {
    const current = opened();
    current.model = unused.shift() ?? expect.fail('too many tests for one stage');
    current.main.clear();
    current.backup.clear();
  });
  afterAll(() => stage?.close());
  return opened;
}

/** An answer with this text. */
export const says = (text: string): Script => json(chatCompletion({ text }));
export const streams = (text: string): Script => stream(chatFrames({ text }));

const Completion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })) });

export async function textOf(answer: Response): Promise<string | undefined> {
  const { choices } = Completion.parse(await answer.json());
  return choices[0]?.message.content;
}

/** The attempts and their statuses, such as `main 503, backup 200`. */
export const attemptsOf = (answer: Response): string =>
  (answer.headers.get('x-modelgate-attempts') ?? 'none').replaceAll(/;error=\w+|;ms=\d+/g, '').replaceAll(';status=', ' ');

const Usage = z.object({ data: z.array(z.looseObject({ charged: z.string() })) });
/** The charges of the caller, newest first. */
export const chargesOf = async (gateway: TestGateway) => Usage.parse(await (await gateway.call('/usage')).json()).data;
