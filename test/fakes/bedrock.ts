/** Imitates Claude on Amazon Bedrock (InvokeModel). Checks each signature over the raw bytes, and paths and bodies strictly; streams in AWS's event-stream format. */
import { createHash, createHmac } from 'node:crypto';
import { type AnthropicReply, anthropicFrames, anthropicMessage } from './anthropic.ts';
import { body, json } from './delivery.ts';
import { exceptionMessage, modelEvent } from './event-stream.ts';
import type { FakeRequest } from './exchange.ts';
import type { Script } from './script.ts';

export interface BedrockRules {
  readonly region: string;
  /** What a signature has to be for; default: bedrock. */
  readonly service?: string;
  /** The secret of an access key, and its session token; undefined for an unknown key. */
  readonly keyOf: (accessKeyId: string) => { readonly secret: string; readonly token?: string } | undefined;
  /** A Bedrock API key, sent as bearer token. */
  readonly bearer?: string;
  /** Absent: any model. */
  readonly models?: readonly string[];
}

export interface BedrockReply extends AnthropicReply {
  /** Sends an exception after so many events of a stream. */
  readonly exception?: { readonly after: number; readonly type: string; readonly message: string };
  /** Bytes of each write, regardless of the borders of messages. */
  readonly chunkBytes?: number;
  /** Ends the body after this many bytes. */
  readonly stopAfter?: number;
}

export const bedrockFailure = (status: number, type: string, message: string): Script =>
  json(
    { message },
    { status, headers: { 'x-amzn-errortype': `${type}:http://internal.amazon.com/coral/com.amazon.bedrock/`, 'x-amzn-requestid': 'fake' } },
  );

export const bedrock =
  (rules: BedrockRules, reply: BedrockReply = {}) =>
  (request: FakeRequest): Script => {
    const rejected = refusalOf(request, rules);
    if (rejected) return rejected;
    const [, id = '', method] = /^\/model\/([^/]+)\/(invoke|invoke-with-response-stream)$/.exec(request.url) ?? [];
    if (method === undefined) return bedrockFailure(404, 'UnknownOperationException', '');
    if (rules.models && !rules.models.includes(decodeURIComponent(id)))
      return bedrockFailure(400, 'ValidationException', 'The provided model identifier is invalid.');
    return answer(method === 'invoke', request, reply);
  };

function answer(isWhole: boolean, { fields, headers }: FakeRequest, reply: BedrockReply): Script {
  const wrong = (message: string): Script => bedrockFailure(400, 'ValidationException', message);
  for (const name of ['model', 'stream']) if (fields[name] !== undefined) return wrong(`${name}: Extra inputs are not permitted`);
  if (fields.anthropic_version !== 'bedrock-2023-05-31') return wrong('anthropic_version: Field required');
  if (typeof fields.max_tokens !== 'number' || !Array.isArray(fields.messages)) return wrong('messages: Field required');
  const said = { model: 'claude-sonnet-4-5-20250929', ...reply };
  if (isWhole) return json(anthropicMessage(said));
  if (headers.accept !== 'application/vnd.amazon.eventstream') return wrong('accept: Input should be an event stream');
  return bedrockStream(said);
}

/** The stream of a reply, as a request with the right headers gets it. */
export const bedrockStream = (reply: BedrockReply): Script =>
  body(Buffer.concat(messagesOf(reply)), 'application/vnd.amazon.eventstream', {
    ...(reply.chunkBytes !== undefined && { chunkBytes: reply.chunkBytes }),
    ...(reply.stopAfter !== undefined && { stopAfter: { bytes: reply.stopAfter }, ending: 'fin' as const }),
  });

function messagesOf({ exception, ...reply }: BedrockReply): Buffer[] {
  const events = anthropicFrames(reply).map(({ data }) => modelEvent(data));
  return exception ? [...events.slice(0, exception.after), exceptionMessage(exception.type, exception.message)] : events;
}

/** The refusal; null when the request is authenticated. */
export function refusalOf(request: FakeRequest, { bearer, keyOf, region, service: own = 'bedrock' }: BedrockRules): Script | null {
  const { authorization = '' } = request.headers;
  if (bearer !== undefined && authorization === `Bearer ${bearer}`) return null;
  const [, id = '', day = '', inRegion, service, names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      authorization,
    ) ?? [];
  const key = keyOf(id);
  if (signature === undefined || key === undefined)
    return bedrockFailure(403, 'UnrecognizedClientException', 'The security token included in the request is invalid.');
  if (service !== own) return bedrockFailure(403, 'InvalidSignatureException', `Credential should be scoped to correct service: '${own}'.`);
  if (inRegion !== region) return bedrockFailure(403, 'InvalidSignatureException', 'Credential should be scoped to a valid region.');
  if (request.headers['x-amz-security-token'] !== key.token)
    return bedrockFailure(403, 'UnrecognizedClientException', 'The security token is invalid.');
  const expected = signatureOf(request, { names: names.split(';'), day, region, service, secret: key.secret });
  return expected === signature
    ? null
    : bedrockFailure(403, 'InvalidSignatureException', 'The request signature we calculated does not match.');
}

interface Signed {
  readonly names: readonly string[];
  readonly day: string;
  readonly region: string;
  readonly service: string;
  readonly secret: string;
}

/** Computes the signature from the received request, without the code under test. */
function signatureOf({ method, url, headers, body: bytes }: FakeRequest, { names, day, region, service, secret }: Signed): string {
  const hash = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
  const path = url.split('/').map(encodeURIComponent).join('/');
  const lines = names.map((name) => `${name}:${String(headers[name])}\n`).join('');
  const canonical = `${method}\n${path}\n\n${lines}\n${names.join(';')}\n${hash(bytes)}`;
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = `AWS4-HMAC-SHA256\n${String(headers['x-amz-date'])}\n${scope}\n${hash(canonical)}`;
  let key: Buffer = Buffer.from(`AWS4${secret}`);
  for (const part of scope.split('/')) key = createHmac('sha256', key).update(part).digest();
  return createHmac('sha256', key).update(text).digest('hex');
}
