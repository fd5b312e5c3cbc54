/** The upstreams that every SDK has to work over: the built-in simulator, and vendors on a socket. */

import { standardModels } from '../../server/config/standard-models.ts';
import { azure } from '../fakes/azure.ts';
import { bedrock } from '../fakes/bedrock.ts';
import { type ChatReply, chatCompletion, chatFrames, type FakeToolCall } from '../fakes/chat.ts';
import { converse } from '../fakes/converse.ts';
import { json, stream } from '../fakes/delivery.ts';
import type { FakeRequest } from '../fakes/exchange.ts';
import { type ResponseReply, response, responseFrames } from '../fakes/responses.ts';
import type { Script } from '../fakes/script.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { type VertexReply, vertex } from '../fakes/vertex.ts';
import { behind, startGateway, type TestGateway } from '../harness/gateway.ts';

/** The content of the next text answer. */
export interface Reply {
  readonly text?: string;
  readonly toolCalls?: readonly FakeToolCall[];
}

export interface Place {
  readonly gateway: TestGateway;
  /**
   * Readies the next answer. The vendor is told what to say; the simulator answers by its prompt alone, so a test asks
   * for something that makes it say the same.
   */
  expectToSay(...replies: Reply[]): void;
  close(): Promise<void>;
}

interface Kind {
  readonly name: string;
  /** Whether it has models that make images. */
  readonly hasImages: boolean;
  readonly open: () => Promise<Place>;
}

export const places: readonly Kind[] = [
  { name: 'the simulator', hasImages: true, open: openSimulated },
  { name: 'an OpenAI upstream', hasImages: true, open: openVendor },
  { name: 'Azure', hasImages: true, open: openAzure },
  { name: 'Claude in Bedrock', hasImages: false, open: openBedrock },
  { name: 'Nova in Bedrock', hasImages: false, open: openConverse },
  { name: 'Gemini on Vertex AI', hasImages: false, open: () => openVertex('gemini') },
  { name: 'Claude on Vertex AI', hasImages: false, open: () => openVertex('anthropic') },
];
export const imagePlaces = places.filter(({ hasImages }) => hasImages);

async function openSimulated(): Promise<Place> {
  const gateway = await startGateway({ upstreams: { simulator: { kind: 'simulator', eventDelayMs: 0 } } });
  return { gateway, expectToSay: () => undefined, close: gateway.close };
}

async function openVendor(): Promise<Place> {
  const { gateway, fake, close } = await openBehindFake();
  return {
    gateway,
    expectToSay(...replies) {
      for (const reply of replies) fake.next((request) => say(request, reply));
    },
    close,
  };
}

interface Cloud {
  readonly name: string;
  /** Answers the next request with this reply. */
  readonly serve: (reply?: Reply) => (request: FakeRequest) => Script;
  /** The path of its address. */
  readonly path: string;
  /** Settings of the upstream. */
  readonly settings: Record<string, unknown>;
}

async function openCloud({ name, serve, path, settings }: Cloud): Promise<Place> {
  const fake = await openFake();
  const replies: Reply[] = [];
  fake.always((request) => serve(replies.shift())(request));
  const gateway = await startGateway(behind(`${new URL(fake.url).origin}${path}`, settings));
  return {
    gateway,
    expectToSay: (...next) => void replies.push(...next),
    async close() {
      await gateway.close();
      await fake.close();
      if (replies.length > 0) throw new Error(`${replies.length} answers of the fake ${name} were not fetched`);
    },
  };
}

function openAzure(): Promise<Place> {
  const key = 'azure-key-0123456789';
  const serve: Cloud['serve'] = (reply) => azure({ key }, reply);
  return openCloud({ name: 'Azure', serve, path: '/openai/v1', settings: { azure: { resource: 'contoso' }, apiKey: key } });
}

const inBedrock = { region: 'eu-central-1', keyOf: () => undefined, bearer: 'bedrock-api-key-0123456789' } as const;
const bedrockSettings = { aws: { region: inBedrock.region }, apiKey: inBedrock.bearer };

function openBedrock(): Promise<Place> {
  const serve: Cloud['serve'] = (reply) => bedrock(inBedrock, reply);
  return openCloud({ name: 'Bedrock', serve, path: '', settings: { kind: 'anthropic', ...bedrockSettings } });
}

function openConverse(): Promise<Place> {
  const serve: Cloud['serve'] = (reply) => converse(inBedrock, reply);
  return openCloud({ name: 'Converse', serve, path: '', settings: { kind: 'converse', ...bedrockSettings } });
}

function openVertex(kind: 'gemini' | 'anthropic'): Promise<Place> {
  const token = 'ya29.vertex-token-0123456789';
  const every = standardModels.map(({ id }) => id);
  const models = { google: every, anthropic: every, openapi: [], endpoints: [] };
  const rules = { isGood: (given: string) => given === token, project: 'my-project', location: 'eu', models };
  const serve: Cloud['serve'] = (reply) => vertex(rules, inBoth(reply));
  const settings = { kind, google: { project: 'my-project', location: 'eu' }, auth: { type: 'bearer' }, apiKey: token };
  return openCloud({ name: 'Vertex AI', serve, path: '/v1/projects/my-project/locations/eu', settings });
}

/** The same reply in the form of either vendor. */
function inBoth(reply: Reply = {}): VertexReply {
  const { text, toolCalls = [] } = reply;
  const calls = toolCalls.map(({ id, name, arguments: args }) => ({ id, name, args: JSON.parse([args].flat().join('')) }));
  return { gemini: { ...(text !== undefined && { text }), calls }, claude: reply };
}

export interface BehindFake {
  readonly gateway: TestGateway;
  readonly fake: Fake;
  close(): Promise<void>;
}

/** A gateway whose only upstream is the fake vendor, for tests that check its requests. */
export async function openBehindFake(): Promise<BehindFake> {
  const fake = await openFake({ apiKey: 'sk-vendor-secret' });
  const gateway = await startGateway(behind(fake.url));
  return {
    gateway,
    fake,
    async close() {
      await gateway.close();
      await fake.close();
      // An answer that was not fetched means that the test did not make the call that it expected.
      if (fake.pending > 0) throw new Error(`${fake.pending} answers of the fake vendor were not fetched`);
    },
  };
}

/** The reply in the protocol of the request, streamed or not. */
function say({ path, fields }: FakeRequest, reply: Reply): Script {
  const model = String(fields.model);
  if (path === '/v1/responses') {
    const whole: ResponseReply = { ...reply, model };
    return fields.stream === true ? stream(responseFrames(whole)) : json(response(whole));
  }
  const whole: ChatReply = { ...reply, model, includeUsage: true };
  return fields.stream === true ? stream(chatFrames(whole)) : json(chatCompletion(whole));
}
