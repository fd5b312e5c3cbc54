/** The benchmark's vendor, a process of its own: precomputed bytes, and as little work as can be. */
import { createServer, type ServerResponse } from 'node:http';
import { type Answer, answers, fullSpeedEvents, paces, slowMark, type Transcript } from './answers.ts';
import { announce } from './probe.ts';

/** Paced streams take turns in slots, so that they do not all speak in the same millisecond. */
const SLOT_MS = 5;

const paced = Object.values(paces).map(({ mark, gapMs, events }) => {
  return { mark, events, slots: Array.from({ length: gapMs / SLOT_MS }, (): Set<() => void> => new Set()) };
});
type Paced = (typeof paced)[number];
let opened = 0;
let thought = 0;
let tick = 0;

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const body: Buffer[] = [];
  request.on('data', (bytes: Buffer) => body.push(bytes));
  request.on('end', () => respond(request.url ?? '', Buffer.concat(body), response));
});

/** By the second step of the path; whatever is not here is chat. */
const byPath = new Map<string | undefined, Answer>([
  ['responses', answers.responses],
  ['messages', answers.anthropic],
  ['models', answers.gemini],
]);

function respond(path: string, body: Buffer, response: ServerResponse): void {
  const { whole, stream } = byPath.get(path.split('/')[2]) ?? answers[body.includes('"include_usage":true') ? 'chatWithUsage' : 'chat'];
  if (body.includes('"stream":true') || path.includes(':stream')) {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
    response.write(stream.first);
    const pacing = paced.find(({ mark }) => body.includes(mark));
    if (pacing) pace(stream, response, pacing);
    else rush(stream, response, fullSpeedEvents - 1);
    return;
  }
  const send = () => response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length }).end(whole);
  if (body.includes(slowMark)) setTimeout(send, nextPauseMs());
  else send();
}

/** 50 to 250 ms, in an order that is the same each time and looks like none. */
function nextPauseMs(): number {
  thought++;
  return 50 + ((thought * 83) % 201);
}

/** One event to a turn of the event loop: each is a write of its own, as from a vendor, and nothing waits. */
function rush(words: Transcript, response: ServerResponse, left: number): void {
  if (response.destroyed) return;
  if (left === 0) response.end(words.last);
  else {
    response.write(words.content);
    setImmediate(rush, words, response, left - 1);
  }
}

function pace(words: Transcript, response: ServerResponse, { events, slots }: Paced): void {
  const slot = slots[opened++ % slots.length];
  // The first one comes without delay, so that a caller can tell that its stream has begun.
  response.write(words.content);
  let left = events - 2;
  const speak = (): void => {
    if (left-- > 0) return void response.write(words.content);
    slot?.delete(speak);
    response.end(words.last);
  };
  slot?.add(speak);
  response.on('close', () => {
    slot?.delete(speak);
    if (!response.writableFinished) noteHangUp();
  });
}

/** When callers hung up in the middle of a paced stream, in nanoseconds by the clock of the machine, and how many of them are asked for. */
const hangUps: string[] = [];
let wanted = 0;

function noteHangUp(): void {
  hangUps.push(String(process.hrtime.bigint()));
  tellHangUps();
}

function tellHangUps(): void {
  for (; wanted > 0 && hangUps.length > 0; wanted--) process.send?.({ hungUp: hangUps.shift() });
}

setInterval(() => {
  for (const { slots } of paced) for (const speak of slots[tick % slots.length] ?? []) speak();
  tick++;
}, SLOT_MS);

process.on('message', (message) => {
  if (message !== 'hungUp') return;
  wanted++;
  tellHangUps();
});

announce(server);
