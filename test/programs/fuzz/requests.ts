/** Requests as bytes, and the bodies of the four operations that take one, good and nearly good. */
import fc from 'fast-check';
import { ChatCompletionRequest } from '../../../contract/chat.ts';
import { ImageEditRequest, ImageGenerationRequest } from '../../../contract/images.ts';
import { ResponseRequest } from '../../../contract/responses.ts';
import { drawPng } from '../../fakes/images.ts';
import { pathsIn, replaceAt } from './mutations.ts';
import type { Expectation } from './oracle.ts';
import { bodiesOf } from './schemas.ts';
import { pictures, texts } from './stage.ts';

export const pngUrl = `data:image/png;base64,${drawPng().toString('base64')}`;

interface Issue {
  readonly path: readonly PropertyKey[];
}
/** What of a schema is needed here. */
interface Judge {
  safeParse(value: unknown): { readonly success: boolean; readonly error?: { readonly issues: readonly Issue[] } | undefined };
}

export interface Operation {
  readonly path: string;
  readonly schema: Judge;
  /** Bodies that the published schema allows; rules over several fields may refuse them. */
  readonly bodies: fc.Arbitrary<unknown>;
  /** Short and good. */
  readonly plain: Readonly<Record<string, unknown>>;
}

const size = fc.constantFrom('16x16', '32x16', 'auto');
const drawing = {
  model: fc.constantFrom(...pictures),
  n: fc.integer({ min: 1, max: 2 }),
  size: fc.constantFrom('16x16', '32x16'),
  image_url: fc.constant(pngUrl),
};
const writing = { model: fc.constantFrom(...texts), n: fc.integer({ min: 1, max: 3 }) };

export type OperationName = 'chat' | 'responses' | 'generations' | 'edits';
export const operations: Readonly<Record<OperationName, Operation>> = {
  chat: {
    path: '/v1/chat/completions',
    schema: ChatCompletionRequest,
    bodies: bodiesOf('ChatCompletionRequest', writing),
    plain: { model: 'sim', messages: [{ role: 'user', content: 'say hi' }], temperature: 0.5, stop: ['é☕'], user: 'u' },
  },
  responses: {
    path: '/v1/responses',
    schema: ResponseRequest,
    bodies: bodiesOf('ResponseRequest', { ...writing, previous_response_id: fc.constantFrom(null, 'resp_none') }),
    plain: { model: 'sim', input: [{ role: 'user', content: 'say hi' }], store: false, metadata: { ä: '1' }, top_p: 1 },
  },
  generations: {
    path: '/v1/images/generations',
    schema: ImageGenerationRequest,
    bodies: bodiesOf('ImageGenerationRequest', drawing),
    plain: { model: 'drawn', prompt: 'a “lighthouse”', size: '16x16', n: 1, stream: false },
  },
  edits: {
    path: '/v1/images/edits',
    schema: ImageEditRequest,
    bodies: bodiesOf('ImageEditRequest', { ...drawing, size }),
    plain: { model: 'drawn', prompt: 'a hat', images: [{ image_url: pngUrl }] },
  },
};

export const anyOperation: fc.Arbitrary<OperationName> = fc.constantFrom('chat', 'responses', 'generations', 'edits', 'chat', 'responses');

/** Takes away whatever the rules of the contract complain of, until they are content or there is nothing left to take. */
export function repaired(body: unknown, schema: Judge): unknown {
  let left = body;
  for (let round = 0; round < 12; round++) {
    const [issue] = schema.safeParse(left).error?.issues ?? [];
    if (!issue) return left;
    const path = issue.path.filter((step) => typeof step !== 'symbol');
    const isThere = pathsIn(left).some((place) => place.join('\n') === path.join('\n'));
    left = replaceAt(left, isThere ? path : path.slice(0, -1), () => undefined);
    if (left === undefined) return null;
  }
  return left;
}

/** By the contract alone: what it refuses must be rejected, what it lets through may still be too much for a model. */
export function expectationOf(text: Buffer | string, { schema }: Pick<Operation, 'schema'>): Expectation {
  try {
    const value: unknown = JSON.parse(typeof text === 'string' ? text : new TextDecoder('utf-8', { fatal: true }).decode(text));
    return schema.safeParse(value).success ? 'any' : 'rejected';
  } catch {
    return 'rejected';
  }
}

export interface Head {
  readonly method?: string;
  readonly path: string;
  readonly key: string | null;
  readonly headers?: readonly string[];
}

/** Header lines go out as they are, in latin1. */
export function requestOf({ method = 'POST', path, key, headers = [] }: Head, body: Buffer | string = ''): Buffer {
  const bytes = Buffer.from(body);
  const own = [`${method} ${path} HTTP/1.1`, 'host: gateway.test', ...(key === null ? [] : [`authorization: Bearer ${key}`])];
  const length = bytes.length === 0 && method !== 'POST' ? [] : [`content-length: ${bytes.length}`];
  return Buffer.concat([Buffer.from(`${[...own, ...headers, ...length].join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
}

export const jsonType = 'content-type: application/json';
