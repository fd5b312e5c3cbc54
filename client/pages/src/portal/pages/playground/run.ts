/** One call of the playground: sends the body, reads the response as it arrives, and can be stopped, which also stops the upstream. */
import { CONSOLE_HEADER } from 'virtual:browser';
import { type Fields, type Frame, findFault, parseFields, splitFrames, type Tab } from './frames.ts';
import { getPath } from './paths.ts';

export type RunState = 'running' | 'done' | 'rejected' | 'broken' | 'stopped';
export interface Run {
  readonly tab: Tab;
  /** The sent body. */
  readonly sent: Fields;
  readonly state: RunState;
  /** Why a stream is broken. */
  readonly fault: string | null;
  readonly status: number;
  readonly requestId: string | null;
  readonly retryAfter: string | null;
  /** Events of a stream. */
  readonly frames: readonly Frame[];
  /** The body of an error, or of a response without streaming. */
  readonly whole: Fields | null;
  readonly firstMs: number | null;
  readonly totalMs: number | null;
}

export const createRun = (tab: Tab, sent: Fields): Run => ({
  tab,
  sent,
  state: 'running',
  fault: null,
  status: 0,
  requestId: null,
  retryAfter: null,
  frames: [],
  whole: null,
  firstMs: null,
  totalMs: null,
});

/** Reports each state of the call until it ends. */
export async function executeRun(first: Run, signal: AbortSignal, report: (run: Run) => void): Promise<void> {
  const began = performance.now();
  const getElapsedMs = () => Math.round(performance.now() - began);
  let run = first;
  const update = (changes: Partial<Run>) => {
    run = { ...run, ...changes };
    report(run);
  };
  try {
    const answer = await fetch(getPath(run.tab, run.sent), createRequestInit(run.sent, signal));
    const { status, headers } = answer;
    update({ status, requestId: headers.get('x-request-id'), retryAfter: headers.get('retry-after') });
    if (headers.get('content-type')?.startsWith('text/event-stream') && answer.body) {
      await readFrames(answer.body, {
        since: getElapsedMs,
        add: (frames) => update({ frames: [...run.frames, ...frames], firstMs: run.firstMs ?? getElapsedMs() }),
      });
      const fault = findFault(run.tab, run.frames);
      update({ state: fault === null ? 'done' : 'broken', fault, totalMs: getElapsedMs() });
    } else {
      const whole = parseFields(await answer.text());
      const state = !answer.ok ? 'rejected' : whole ? 'done' : 'broken';
      update({ whole, state, fault: state === 'broken' ? 'cut' : null, firstMs: getElapsedMs(), totalMs: getElapsedMs() });
    }
  } catch {
    update({ state: signal.aborted ? 'stopped' : 'broken', fault: signal.aborted ? null : 'cut', totalMs: getElapsedMs() });
  }
}

function createRequestInit(body: Fields, signal: AbortSignal): RequestInit {
  const headers = { 'content-type': 'application/json', [CONSOLE_HEADER]: '1' };
  return { method: 'POST', credentials: 'same-origin', cache: 'no-store', headers, body: JSON.stringify(body), signal };
}

interface Reading {
  readonly since: () => number;
  readonly add: (frames: readonly Frame[]) => void;
}
async function readFrames(body: ReadableStream<Uint8Array>, { since, add }: Reading): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader(); // `as`: the DOM's types support only one kind of buffer.
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    const split = splitFrames(rest + (value ?? ''), since());
    rest = split.rest;
    if (split.frames.length > 0) add(split.frames);
    if (done) return;
  }
}
