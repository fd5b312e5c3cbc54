/** The benchmark's vendor, a process of its own: precomputed bytes, and as little work as can be. */
import { createServer, type ServerResponse } from 'node:http';
import { chatAnswer, fullSpeedEvents, pacedEvents, responseAnswer, type Transcript, transcript } from './answers.ts';
import { anthropicAnswer, anthropicStream, bedrockStream, geminiAnswer, geminiStream, responsesStream } from './foreign-answers.ts';
import { pacedMark, slowMark } from './payloads.ts';
import { announce } from './probe.ts';

/** Paced streams take turns in slots, so that they do not all speak in the same millisecond. */
const slots = 10;
const slotMs = 5;

const streams = [transcript(false), transcript(true)] as const;
const paced: Set<() => void>[] = Array.from({ length: slots }, () => new Set());
let last: Buffer[] = [];
let opened = 0;
let thought = 0;
let tick = 0;

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const body: Buffer[] = [];
  request.on('data', (bytes: Buffer) => body.push(bytes));
  request.on('end', () => {
    last = body;
    answer(request.url ?? '', Buffer.concat(body), response);
  });
});

/** By the last step of the path; whatever is not here is chat. */
const answers = new Map([
  ['responses', { whole: responseAnswer, stream: responsesStream }],
  ['messages', { whole: anthropicAnswer, stream: anthropicStream }],
  ['models', { whole: geminiAnswer, stream: geminiStream }],
]);

function answer(path: string, body: Buffer, response: ServerResponse): void {
  const own = answers.get(path.split('/')[2] ?? '');
  if (path.startsWith('/model/')) {
    answerBedrock(path, response);
    return;
  }
  if (body.includes('"stream":true') || path.includes(':stream')) {
    stream(own?.stream ?? streams[body.includes('"include_usage":true') ? 1 : 0], body, response);
    return;
  }
  const bytes = own?.whole ?? chatAnswer;
  const send = () => response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length }).end(bytes);
  if (body.includes(slowMark)) setTimeout(send, nextPauseMs());
  else send();
}

/** Signatures are not checked. */
function answerBedrock(path: string, response: ServerResponse): void {
  if (path.endsWith('/invoke')) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': anthropicAnswer.length }).end(anthropicAnswer);
    return;
  }
  response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
  response.write(bedrockStream.first);
  rush(bedrockStream, response, fullSpeedEvents);
}

/** 50 to 250 ms, in an order that is the same each time and looks like none. */
function nextPauseMs(): number {
  thought++;
  return 50 + ((thought * 83) % 201);
}

function stream(words: Transcript, body: Buffer, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  response.write(words.first);
  if (body.includes(pacedMark)) pace(words, response);
  else rush(words, response, fullSpeedEvents);
}

/** One event to a turn of the event loop: each is a write of its own, as from a vendor, and nothing waits. */
function rush(words: Transcript, response: ServerResponse, left: number): void {
  if (response.destroyed) return;
  if (left === 0) finish(words, response);
  else {
    response.write(words.content);
    setImmediate(rush, words, response, left - 1);
  }
}

function pace(words: Transcript, response: ServerResponse): void {
  const slot = paced[opened++ % slots];
  let left = pacedEvents;
  const speak = (): void => {
    if (left-- > 0) return void response.write(words.content);
    slot?.delete(speak);
    finish(words, response);
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

function finish(words: Transcript, response: ServerResponse): void {
  response.end(Buffer.concat(words.last));
}

setInterval(() => {
  for (const speak of paced[tick++ % slots] ?? []) speak();
}, slotMs);

process.on('message', (message) => {
  if (message === 'last') process.send?.({ last: Buffer.concat(last).toString('utf8') });
  if (message === 'hungUp') {
    wanted++;
    tellHangUps();
  }
});

announce(server);
