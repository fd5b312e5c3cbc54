/** Callers of every kind at a fixed rate, and a journal on disk of what each of them was promised (G1). */
import { readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { type Agent, request } from 'undici';
import { expect } from 'vitest';
import { chatFrames } from '../fakes/chat.ts';
import { stream } from '../fakes/delivery.ts';
import { responseFrames } from '../fakes/responses.ts';
import type { Fake } from '../fakes/upstream.ts';
import { temporaryFolder } from '../harness/folder.ts';

/** What a caller may rely on: a charge by its request id, and the id of the response if it is stored. */
export interface Promised {
  readonly id: string;
  readonly response?: string;
}

/** Lines are written to disk soon after they were noted; `read` gives those on disk. */
export class Journal {
  readonly #path = join(temporaryFolder(), 'promised.jsonl');
  #waiting: Promised[] = [];
  #file: Promise<FileHandle> | null = null;
  #writing: Promise<void> = Promise.resolve();
  readonly #given = new Set<string>();
  last: string | undefined;

  /** The number of calls that were promised something. */
  get count(): number {
    return this.#given.size;
  }

  note(promised: Promised): void {
    this.last = promised.response ?? this.last;
    this.#given.add(promised.id);
    this.#waiting.push(promised);
    if (this.#waiting.length === 1) this.#writing = this.#writing.then(() => this.#write());
  }

  async read(): Promise<readonly Promised[]> {
    await this.#writing;
    await (await this.#file)?.close();
    return readFileSync(this.#path, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }

  async #write(): Promise<void> {
    this.#file ??= open(this.#path, 'a');
    const file = await this.#file;
    const lines = this.#waiting.splice(0).map((promised) => `${JSON.stringify(promised)}\n`);
    await file.appendFile(lines.join(''));
    await file.datasync();
  }
}

export const model = 'gpt-5.4';
const messages = [{ role: 'user', content: 'Say hello to everyone who waits.' }];

interface Kind {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export const kinds = {
  chat: { path: '/v1/chat/completions', body: { model, messages } },
  'chat stream': { path: '/v1/chat/completions', body: { model, messages, stream: true } },
  response: { path: '/v1/responses', body: { model, input: messages } },
  'response stream': { path: '/v1/responses', body: { model, input: messages, stream: true } },
} as const satisfies Readonly<Record<string, Kind>>;
export type KindName = keyof typeof kinds;
export const names = ['chat', 'chat stream', 'response', 'response stream'] as const;

export interface Outcome {
  readonly status: number;
  readonly id: string;
  readonly retryAfter: string | undefined;
  readonly text: string;
  /** Whether the answer ended as complete. */
  readonly isWhole: boolean;
}

export interface Door {
  readonly origin: string;
  readonly key: string;
  readonly agent: Agent;
  readonly journal?: Journal;
}

/** Rejects if the connection breaks. */
export async function ask(name: KindName, { origin, key, agent, journal }: Door): Promise<Outcome> {
  const { path, body: asked } = kinds[name];
  const isStream = name.endsWith('stream');
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await request(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(asked), dispatcher: agent });
  const { statusCode: status, body } = answer;
  const id = String(answer.headers['x-request-id']);
  const isGood = status === 200;
  // A JSON answer is a promise from its status on, before its body is read.
  if (isGood && !isStream) journal?.note({ id });
  let text = '';
  let isWhole = isGood && !isStream;
  for await (const bytes of body) {
    text += bytes;
    if (!isGood || isWhole || !terminal[name]?.test(text)) continue;
    isWhole = true;
    journal?.note({ id, ...stored(name, text) });
  }
  if (isGood && name === 'response') journal?.note({ id, response: JSON.parse(text).id });
  const retryAfter = answer.headers['retry-after'];
  return { status, id, retryAfter: retryAfter === undefined ? undefined : String(retryAfter), text, isWhole };
}

/** The end of a complete stream. A failed chat stream has no `[DONE]`; a failed stream of responses has it all the same. */
const terminal: Readonly<Partial<Record<KindName, RegExp>>> = {
  'chat stream': /^data: \[DONE\]$/m,
  'response stream': /^event: response\.completed$/m,
};

function stored(name: KindName, text: string): Pick<Promised, 'response'> {
  const id = name === 'response stream' ? /"id":"(resp_\w+)"/.exec(text)?.[1] : undefined;
  return id === undefined ? {} : { response: id };
}

const frames = { 'chat stream': chatFrames({ model, includeUsage: true }), 'response stream': responseFrames({ model }) };

/** Streams that have sent some text, and send the rest after `release`. */
export async function openStreams(fake: Fake, door: Door, { name, count }: { readonly name: keyof typeof frames; readonly count: number }) {
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  const [begun, rest] = [frames[name].slice(0, 6), frames[name].slice(6)];
  fake.next(stream([...begun, { until: gate }, ...rest]), { times: count, path: kinds[name].path });
  const before = fake.requests.length;
  const outcomes = Promise.all(Array.from({ length: count }, () => ask(name, door)));
  await fake.arrival(before + count - 1, 60_000);
  return { outcomes, release };
}

export interface Load {
  /** Where the calls go; null while no gateway listens. */
  door: Door | null;
  readonly sent: number;
  /** The number of answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Request ids of the calls that were rejected. */
  readonly rejected: readonly string[];
  /** Sends no more calls; resolves when all have ended. */
  stop(): Promise<void>;
}

/** The most calls at once: on a busy machine more of them would only wait. */
const maxAtOnce = 64;

/** Calls at a fixed rate, whatever becomes of the earlier ones, as long as not too many wait. */
export function openLoad(perSecond: number): Load {
  const running = new Set<Promise<void>>();
  const statuses = new Map<number, number>();
  const rejected: string[] = [];
  let sent = 0;
  const send = (door: Door): void => {
    const name = names[sent++ % names.length] ?? 'chat';
    // A kill breaks connections; what was promised before is in the journal.
    const one = ask(name, door).then(
      ({ status, id }) => {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status !== 200) rejected.push(id);
      },
      () => undefined,
    );
    running.add(one);
    void one.then(() => running.delete(one));
  };
  const began = performance.now();
  let due = 0;
  const load = {
    door: null as Door | null,
    get sent() {
      return sent;
    },
    statuses,
    rejected,
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
    },
  };
  // Counted by the clock, since timers are late on a busy machine.
  const timer = setInterval(() => {
    const now = Math.floor(((performance.now() - began) / 1000) * perSecond);
    for (; due < now; due++) if (load.door && running.size < maxAtOnce) send(load.door);
  }, 5);
  return load;
}

/** The number of calls sent, and of those that were answered. */
export interface Work {
  readonly sent: number;
  readonly promised: number;
}

/** Resolves when so much more was done, however long it takes. */
export async function serve(load: Load, journal: Journal, { sent, promised }: Work): Promise<void> {
  const [allSent, allPromised] = [load.sent + sent, journal.count + promised];
  const isDone = (): boolean => load.sent >= allSent && journal.count >= allPromised;
  await expect.poll(isDone, { timeout: 120_000, interval: 5, message: `${sent} are sent and ${promised} served` }).toBe(true);
}

/** Repeats the work until its status is not 503, and gives that status. */
export async function untilServed(look: () => Promise<number>): Promise<number> {
  let status = 503;
  await expect.poll(async () => (status = await look()), { interval: 100 }).not.toBe(503);
  return status;
}
