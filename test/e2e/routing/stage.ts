/** Opens a gateway whose model has two fake vendors as candidates. */
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { chatCompletion, chatFrames } from '../../fakes/chat.ts';
import { json, stream } from '../../fakes/delivery.ts';
import type { Script } from '../../fakes/script.ts';
import { type Fake, openFake } from '../../fakes/upstream.ts';
import { startGateway, type TestGateway } from '../../harness/gateway.ts';
import { waitsOf } from '../../harness/vendor.ts';

export interface Stage {
  readonly gateway: TestGateway;
  readonly main: Fake;
  readonly backup: Fake;
  /** A chat call with these fields. */
  ask(fields?: Record<string, unknown>, init?: { key?: string; signal?: AbortSignal }): Promise<Response>;
  /** The number of requests to each vendor. */
  asked(): readonly number[];
}

interface Order {
  readonly routing?: Record<string, unknown>;
  /** The candidates of the model; by default `main` before `backup`. */
  readonly candidates?: readonly Record<string, unknown>[];
  /** Settings of `main`, such as timeouts; the default ones are long. */
  readonly main?: Record<string, unknown>;
}

export const mainFirst = [{ upstream: 'main' }, { upstream: 'backup', priority: 2 }] as const;

export async function openStage({ routing = {}, candidates = mainFirst, main: more = {} }: Order = {}): Promise<Stage> {
  const [main, backup] = [await openFake(), await openFake()];
  const place = (fake: Fake) => ({ kind: 'openai', baseUrl: fake.url, apiKey: 'sk-vendor', ...waitsOf({}) });
  const gateway = await startGateway({
    upstreams: { main: { ...place(main), ...more }, backup: place(backup) },
    models: [
      { id: 'm', kind: 'text', candidates },
      { id: 'drawn', kind: 'image', candidates: [{ upstream: 'main' }, { upstream: 'backup', priority: 2 }] },
    ],
    routing: { breaker: { failures: 100 }, ...routing },
  });
  onTestFinished(async () => {
    await gateway.close();
    await main.close();
    await backup.close();
  });
  const messages = [{ role: 'user', content: 'Hello.' }];
  return {
    gateway,
    main,
    backup,
    ask: (fields, init) => gateway.call('/chat/completions', { method: 'POST', json: { model: 'm', messages, ...fields }, ...init }),
    asked: () => [main.requests.length, backup.requests.length],
  };
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
