/** Checked by the compiler: the inputs and answers of a tRPC client, by the type of the router alone. Nothing here runs. */
import { createTRPCClient, httpBatchStreamLink, type TRPCClientError } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { z } from 'zod';
import type { ErrorCode } from '../../contract/errors.ts';
import type { Contract } from '../../contract/index.ts';
import type { AppRouter } from '../../server/api/trpc/router-type.ts';

type Outputs = inferRouterOutputs<AppRouter>;
type Inputs = inferRouterInputs<AppRouter>;
type AllTrue<T extends Record<string, true>> = T;
type Identical<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Fits<A, B> = [A] extends [B] ? true : false;
type Infer<S> = S extends z.ZodType ? z.infer<S> : never;

export type Procedures = AllTrue<{
  areTheOperations: Identical<Exclude<keyof Outputs, 'stream'>, keyof Contract>;
  streamsAreThoseWithEvents: Identical<
    keyof Outputs['stream'],
    'createResponse' | 'getResponse' | 'createChatCompletion' | 'generateImages' | 'editImages'
  >;
}>;

/** Every answer of the contract can be returned, and every input that compiles is accepted by the contract. */
export type Shapes = AllTrue<{
  answers: Fits<Infer<Contract['createResponse']['responses'][200]>, Outputs['createResponse']>;
  chunks: Fits<Infer<Contract['createChatCompletion']['metadata']['sse']>, Item<Outputs['stream']['createChatCompletion']>>;
  bodies: Fits<Inputs['createChatCompletion'], Infer<Contract['createChatCompletion']['body']>>;
  paths: Fits<Inputs['listInputItems'], { response_id: string }>;
  nothingHasToBeSaid: Fits<undefined, Inputs['listUsage']>;
}>;
type Item<T> = T extends AsyncIterable<infer Event> ? Event : never;

const trpc = createTRPCClient<AppRouter>({ links: [httpBatchStreamLink({ url: 'https://gateway.example/trpc' })] });
const messages = [{ role: 'user' as const, content: 'Hello' }];

export async function rightCalls(): Promise<void> {
  const models: string[] = (await trpc.listModels.query()).data.map(({ id }) => id);
  const chat = await trpc.createChatCompletion.mutate({ model: String(models[0]), messages, temperature: null });
  const text: string | null | undefined = chat.choices[0]?.message.content;
  for await (const event of await trpc.stream.createResponse.mutate({ model: 'gpt-5.4', input: String(text) })) {
    if (event.type === 'response.output_text.delta') event.delta.trim();
  }
}

export function readError({ data }: TRPCClientError<AppRouter>): ErrorCode | undefined {
  const seconds: number | null | undefined = data?.retryAfter;
  return seconds === null ? undefined : data?.error.code;
}

export async function wrongCalls(): Promise<void> {
  // @ts-expect-error: no such procedure
  await trpc.createChatCompletions.mutate({ model: 'gpt-5.4', messages });
  // @ts-expect-error: what changes something is no query
  await trpc.createChatCompletion.query({ model: 'gpt-5.4', messages });
  // @ts-expect-error: what only reads is no mutation
  await trpc.listModels.mutate();
  // @ts-expect-error: an input that is left out
  await trpc.createResponse.mutate();
  // @ts-expect-error: a part of an address that is left out
  await trpc.getResponse.query();
  // @ts-expect-error: a field that is left out
  await trpc.createChatCompletion.mutate({ messages });
  // @ts-expect-error: a misspelt field
  await trpc.createResponse.mutate({ model: 'gpt-5.4', input: 'Hello', temprature: 1 });
  // @ts-expect-error: a misspelt field inside of a field
  await trpc.createResponse.mutate({ model: 'gpt-5.4', input: 'Hello', text: { fromat: { type: 'text' } } });
  // @ts-expect-error: a misspelt field of a tool
  await trpc.createResponse.mutate({ model: 'gpt-5.4', input: 'Hello', tools: [{ type: 'function', name: 'add', paramters: {} }] });
  // @ts-expect-error: a role that nobody has
  await trpc.createChatCompletion.mutate({ model: 'gpt-5.4', messages: [{ role: 'robot', content: 'Hello' }] });
  // @ts-expect-error: a field of another operation
  await trpc.createChatCompletion.mutate({ model: 'gpt-5.4', messages, input: 'Hello' });
  // @ts-expect-error: a stream is asked for under `stream`
  await trpc.createChatCompletion.mutate({ model: 'gpt-5.4', messages, stream: true });
  // @ts-expect-error: and is one there
  await trpc.stream.createChatCompletion.mutate({ model: 'gpt-5.4', messages, stream: false });
  // @ts-expect-error: an operation that has no stream
  await trpc.stream.listModels.mutate();
}

export async function wrongReadings(): Promise<void> {
  const response = await trpc.createResponse.mutate({ model: 'gpt-5.4', input: 'Hello' });
  // @ts-expect-error: a field that SDKs add, and no gateway sends
  response.output_text;
  // @ts-expect-error: a misspelt field
  response.outputs;
  // @ts-expect-error: the word of chat
  response.usage?.prompt_tokens;
  const chat = await trpc.createChatCompletion.mutate({ model: 'gpt-5.4', messages });
  // @ts-expect-error: a misspelt field of an entry
  chat.choices[0]?.mesage;
  for await (const event of await trpc.stream.createResponse.mutate({ model: 'gpt-5.4', input: 'Hello' })) {
    // @ts-expect-error: not every event has it
    event.delta;
    // @ts-expect-error: an event that does not exist
    if (event.type === 'response.text.delta') return;
  }
}

export function wrongErrors({ data }: TRPCClientError<AppRouter>): boolean {
  // @ts-expect-error: a code that is not in the table
  return data?.error.code === 'rate_limited';
}
