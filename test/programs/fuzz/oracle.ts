/** What every answer has to be, whatever was asked: the contract's envelope or a sound success, an id, and nothing that is nobody's business (promise G13). */
import { errorTable } from '../../../contract/errors.ts';
import { ErrorBody } from '../../../contract/shared/error-bodies.ts';
import { readFrames } from '../../fakes/frames.ts';
import type { Answer } from './lane.ts';

export interface Secrets {
  /** Texts that no answer and no log line may hold. */
  readonly texts: readonly string[];
}

/** `rejected`: no 2xx. `any`: a 2xx or a refusal. `served`: a 2xx alone. */
export type Expectation = 'rejected' | 'served' | 'any';

const MAX_MESSAGE = 1_000;
/** Bytes of an error body: what a caller wrote is told back in short. */
const MAX_ERROR_BODY = 4_096;
/** Places in the gateway's own code. */
const places = /\n\s+at |node:internal|node_modules|\.ts:\d+/;

/** Throws with the reason. */
export function checkAnswer(answer: Answer, expects: Expectation, { texts }: Secrets): void {
  const { status, headers, body } = answer;
  const fail = (why: string): Error => new Error(`${why}: ${status} ${body.slice(0, 400)}`);
  if (!/^req_[0-9a-f]{32}$/.test(headers['x-request-id'] ?? '')) throw fail(`the request id is ${headers['x-request-id']}`);
  const heard = `${Object.values(headers).join('\n')}\n${body}`;
  for (const text of texts) if (heard.includes(text)) throw fail(`the answer holds what it must not tell (${text.slice(0, 6)}…)`);
  const isSuccess = status >= 200 && status < 400;
  if (isSuccess && expects === 'rejected') throw fail('this had to be rejected');
  if (!isSuccess && expects === 'served') throw fail('this had to be served');
  if (isSuccess) checkSuccess(answer, fail);
  else checkRefusal(answer, fail);
}

function checkRefusal({ status, headers, body }: Answer, fail: (why: string) => Error): void {
  if (status < 400 || status > 499) throw fail('not the status of a refusal');
  if (headers['content-type'] !== 'application/json; charset=utf-8') throw fail(`a refusal of type ${headers['content-type']}`);
  // Of HEAD there is none.
  if (body === '') return;
  const parsed = ErrorBody.strict().safeParse(JSON.parse(body));
  if (!parsed.success) throw fail('the envelope is not that of the contract');
  const { code, type, message, param } = parsed.data.error;
  const row = errorTable[code];
  if (row.status !== status || row.type !== type) throw fail('status and type are not those of the code');
  if (message.length > MAX_MESSAGE || !isPlain(message)) throw fail('the message is not one short line');
  if (param !== null && !isPlain(param)) throw fail('the param is not one line');
  if (body.length > MAX_ERROR_BODY) throw fail(`a refusal of ${body.length} characters`);
  if (places.test(body)) throw fail('the refusal tells a place in the code');
}

/** On one line, without anything that moves the cursor. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const isPlain = (text: string): boolean => !/[\u0000-\u001f\u007f\u2028\u2029]/.test(text);

function checkSuccess({ headers, body }: Answer, fail: (why: string) => Error): void {
  const type = headers['content-type'] ?? '';
  if (type.startsWith('application/json') && body !== '') JSON.parse(body);
  if (!type.startsWith('text/event-stream')) return;
  for (const { data } of readFrames(body)) {
    if (typeof data !== 'object' || data === null) continue;
    if (('error' in data && data.error) || ('type' in data && data.type === 'response.failed')) throw fail('the stream tells of a failure');
  }
}
