/** How a call passes between its caller and an upstream: as it is, where both speak the same protocol. */
import type { Model } from './catalog.ts';
import { chatRelay } from './dialects/chat/relay.ts';
import type { Relay, StreamReader, WholeAnswer } from './dialects/dialect.ts';
import { readFailureStatus } from './dialects/failure.ts';
import { imagesRelay } from './dialects/images/relay.ts';
import { type JsonBody, jsonBody } from './dialects/json-body.ts';
import { responsesRelay } from './dialects/responses/relay.ts';
import { GatewayError } from './errors.ts';
import type { FormBody, Operation } from './upstreams/upstream.ts';

/** What a caller asks: one operation with a body that the contract has approved. */
export interface Ask {
  readonly operation: Operation;
  readonly body: JsonBody | FormBody;
}

export interface Passage {
  /** What goes upstream, and where, if not to the address of the operation. */
  readonly body: JsonBody | FormBody;
  readonly path?: string;
  /** Top-level fields that were left out. */
  readonly ignored: readonly string[];
  readWhole(bytes: Buffer): WholeAnswer;
  readStream(): StreamReader;
  /** An answer whose status is not 2xx. */
  readFailure(status: number, start: string, retryAfter: string | undefined): GatewayError;
}

type Protocol = Model['protocols'][number];

const table: Readonly<Record<Operation, { readonly protocol: Protocol; readonly relay: Relay; readonly endpoint: string }>> = {
  createChatCompletion: { protocol: 'chat', relay: chatRelay, endpoint: 'POST /v1/chat/completions' },
  createResponse: { protocol: 'responses', relay: responsesRelay, endpoint: 'POST /v1/responses' },
  generateImages: { protocol: 'images', relay: imagesRelay, endpoint: 'POST /v1/images/generations' },
  editImages: { protocol: 'images', relay: imagesRelay, endpoint: 'POST /v1/images/edits' },
};

export const isImage = ({ operation }: Ask): boolean => table[operation].protocol === 'images';

/** Throws `unsupported_value` where nothing that serves the model can answer this operation. */
export function openPassage(ask: Ask, model: Model): Passage {
  const { protocol, relay } = table[ask.operation];
  if (!model.protocols.includes(protocol)) throw wrongOperation(model, ask.operation);
  return likePassage(ask, relay, model);
}

function likePassage({ body }: Ask, relay: Relay, model: Model): Passage {
  const names = { asked: model.id, upstream: model.upstreamModel };
  return {
    body: body.kind === 'json' ? relay.writeRequest(body, { model: model.upstreamModel }) : withModel(body, model),
    ignored: [],
    readWhole: (bytes) => relay.readWhole(bytes, names),
    readStream: () => relay.readStream(body.kind === 'json' ? body : jsonBody(body.value), names),
    readFailure: readFailureStatus,
  };
}

const withModel = (form: FormBody, model: Model): FormBody => ({ ...form, value: { ...form.value, model: model.upstreamModel } });

function wrongOperation(model: Model, operation: Operation): GatewayError {
  const served = Object.values(table).filter(({ protocol }) => model.protocols.includes(protocol));
  const remedy = served.map(({ endpoint }) => endpoint).join(' or ');
  return new GatewayError('unsupported_value', {
    param: 'model',
    message: `'${model.id}' is not served by ${table[operation].endpoint}. Use ${remedy}.`,
  });
}
