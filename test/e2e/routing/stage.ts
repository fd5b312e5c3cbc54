/** A gateway whose model is served by several fake vendors, each of which can be told how to behave. */
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
  /** A chat call, the body completed. */
  ask(fields?: Record<string, unknown>, init?: { key?: string; signal?: AbortSignal }): Promise<Response>;
  /** How often each vendor was asked. */
  asked(): readonly number[];
}

interface Order {
  readonly routing?: Record<string, unknown>;
  /** Of the model; `main` before `backup` where left out. */
  readonly candidates?: readonly Record<string, unknown>[];
  /** Settings of the first place, such as time limits: by itself nobody comes near any. */
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

/** An answer that says who gave it. */
export const says = (text: string): Script => json(chatCompletion({ text }));
export const streams = (text: string): Script => stream(chatFrames({ text }));

const Completion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })) });

export async function textOf(answer: Response): Promise<string | undefined> {
  const { choices } = Completion.parse(await answer.json());
  return choices[0]?.message.content;
}

/** `main 503, backup 200`: who was asked, and what came of it. */
export const attemptsOf = (answer: Response): string =>
  (answer.headers.get('x-modelgate-attempts') ?? 'none').replaceAll(/;error=\w+|;ms=\d+/g, '').replaceAll(';status=', ' ');

const Usage = z.object({ data: z.array(z.looseObject({ charged: z.string() })) });
/** What the caller was charged, request by request, newest first. */
export const chargesOf = async (gateway: TestGateway) => Usage.parse(await (await gateway.call('/usage')).json()).data;
