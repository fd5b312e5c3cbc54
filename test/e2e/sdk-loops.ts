/** The tool loop of each SDK, with the same question and the same expected answer. */
import { createOpenAI } from '@ai-sdk/openai';
import { type AIMessageChunk, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, isStepCount, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { ResponsesToolRunner } from 'openai/helpers/responses-tool-runner';
import { z } from 'zod';

export interface Ask {
  readonly baseURL: string;
  readonly key: string;
  readonly model: string;
}

/** Runs the loop to its end; `use` is the tool. Returns the last text. */
export type Loop = (ask: Ask, use: (city: string) => string) => Promise<string>;

const question = 'What is the weather in Oslo and in Rome, and after that in Lima?';
const name = 'get_weather';
const description = 'Weather of a city';
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false };
const City = z.object({ city: z.string() });
type Place = z.infer<typeof City>;

const clientOf = ({ baseURL, key }: Ask) => new OpenAI({ baseURL, apiKey: key, maxRetries: 0 });

/** `runTools` of the OpenAI SDK, which runs the whole loop. */
const runTools =
  (isStream: boolean): Loop =>
  async (ask, use) => {
    const own = {
      name,
      description,
      parameters,
      function: ({ city }: Place) => use(city),
      parse: (text: string) => City.parse(JSON.parse(text)),
    };
    const body = {
      model: ask.model,
      messages: [{ role: 'user' as const, content: question }],
      tools: [{ type: 'function' as const, function: own }],
    };
    const { completions } = clientOf(ask).chat;
    const text = isStream
      ? await completions.runTools<typeof body & { stream: true }>({ ...body, stream: true }).finalContent()
      : await completions.runTools<typeof body>(body).finalContent();
    return text ?? '';
  };

/** The runner of responses of the OpenAI SDK, which checks each item and each call. */
const runResponses =
  (stream: boolean): Loop =>
  async (ask, use) => {
    const declared = { type: 'function' as const, name, description, parameters, strict: true };
    const runner = new ResponsesToolRunner({ functions: [{ tool: declared, execute: ({ city }) => use(String(city)) }] });
    const last = await runner.run(clientOf(ask), { model: ask.model, input: question, store: false }, { stream });
    return outputText(last);
  };

/** The runner's own result has no `output_text`. */
const outputText = ({ output }: OpenAI.Responses.Response): string =>
  output
    .flatMap((item) => (item.type === 'message' ? item.content : []))
    .map((part) => (part.type === 'output_text' ? part.text : ''))
    .join('');

type Carry = 'chain' | 'items';
/** A loop over `responses.stream()` of the OpenAI SDK. */
const streamResponses =
  (carry: Carry): Loop =>
  async (ask, use) => {
    const history: OpenAI.Responses.ResponseInput = [{ role: 'user', content: question }];
    let added = history.slice();
    let previous: string | undefined;
    for (let step = 0; step < 5; step++) {
      const input = carry === 'chain' ? added : history;
      const chain = carry === 'chain' && previous !== undefined ? { previous_response_id: previous } : {};
      const tools = [{ type: 'function' as const, name, description, parameters, strict: true }];
      const answer = await clientOf(ask)
        .responses.stream({ model: ask.model, tools, input, ...chain })
        .finalResponse();
      const calls = answer.output.filter((item) => item.type === 'function_call');
      if (calls.length === 0) return answer.output_text;
      added = calls.map((call) => ({
        type: 'function_call_output',
        call_id: call.call_id,
        output: use(City.parse(JSON.parse(call.arguments)).city),
      }));
      // Output items may be sent back as input.
      history.push(...(answer.output as OpenAI.Responses.ResponseInput), ...added);
      previous = answer.id;
    }
    throw new Error('the loop did not end');
  };

/** Without stored responses, the AI SDK sends all items back, with encrypted reasoning. */
const stateless = { openai: { store: false, include: ['reasoning.encrypted_content'], forceReasoning: true } };

const runAiSdk =
  (protocol: 'chat' | 'responses', stream: boolean, isStateless = false): Loop =>
  async ({ baseURL, key, model }, use) => {
    const weather = tool({ description, inputSchema: City, execute: async ({ city }) => use(city) });
    const settings = {
      model: createOpenAI({ baseURL, apiKey: key })[protocol](model),
      prompt: question,
      tools: { [name]: weather },
      stopWhen: isStepCount(5),
      ...(isStateless && { providerOptions: stateless }),
    };
    const { text, steps } = stream ? streamText(settings) : await generateText(settings);
    const reasons = (await steps).map(({ finishReason }) => finishReason).join(' ');
    if (reasons !== 'tool-calls tool-calls stop') throw new Error(`the steps ended with ${reasons}`);
    return text;
  };

/** LangChain, which sends all messages back, or names the previous response and sends only results. */
const runLangChain =
  (useResponsesApi: boolean, { isChained = false, isStream = false } = {}): Loop =>
  async ({ baseURL, key, model }, use) => {
    const chat = new ChatOpenAI({ model, apiKey: key, configuration: { baseURL }, useResponsesApi });
    const bound = chat.bindTools([{ name, description, schema: City }]);
    let sent: BaseMessage[] = [new HumanMessage(question)];
    let previous: string | undefined;
    for (let step = 0; step < 5; step++) {
      const options = previous === undefined ? {} : { previous_response_id: previous };
      const said = isStream ? await joinChunks(await bound.stream(sent, options)) : await bound.invoke(sent, options);
      if (!said.tool_calls?.length) return said.text;
      const results = said.tool_calls.map(
        ({ id, args }) => new ToolMessage({ content: use(City.parse(args).city), tool_call_id: id ?? '' }),
      );
      sent = isChained ? results : [...sent, said, ...results];
      if (isChained) previous = String(said.response_metadata.id);
    }
    throw new Error('the loop did not end');
  };

async function joinChunks(chunks: AsyncIterable<AIMessageChunk>): Promise<AIMessageChunk> {
  let whole: AIMessageChunk | undefined;
  for await (const chunk of chunks) whole = whole?.concat(chunk) ?? chunk;
  if (!whole) throw new Error('a stream without a chunk');
  return whole;
}

export interface NamedLoop {
  readonly sdk: string;
  readonly run: Loop;
  /** Whether the gateway or the SDK keeps the reasoning of the vendor with the conversation. */
  readonly keepsThoughts?: true;
}

export const loops: readonly NamedLoop[] = [
  { sdk: 'runTools of the OpenAI SDK', run: runTools(false) },
  { sdk: 'runTools of the OpenAI SDK, streamed', run: runTools(true) },
  { sdk: 'the responses runner of the OpenAI SDK', run: runResponses(false), keepsThoughts: true },
  { sdk: 'the responses runner of the OpenAI SDK, streamed', run: runResponses(true), keepsThoughts: true },
  { sdk: 'responses.stream() with previous_response_id', run: streamResponses('chain'), keepsThoughts: true },
  { sdk: 'responses.stream() with items kept by hand', run: streamResponses('items'), keepsThoughts: true },
  { sdk: 'generateText of the AI SDK on chat', run: runAiSdk('chat', false) },
  { sdk: 'streamText of the AI SDK on chat', run: runAiSdk('chat', true) },
  { sdk: 'generateText of the AI SDK on responses', run: runAiSdk('responses', false) },
  { sdk: 'streamText of the AI SDK on responses', run: runAiSdk('responses', true) },
  { sdk: 'generateText of the AI SDK without stored responses', run: runAiSdk('responses', false, true), keepsThoughts: true },
  { sdk: 'streamText of the AI SDK without stored responses', run: runAiSdk('responses', true, true), keepsThoughts: true },
  { sdk: 'LangChain on chat', run: runLangChain(false) },
  { sdk: 'LangChain on chat, streamed', run: runLangChain(false, { isStream: true }) },
  { sdk: 'LangChain on responses', run: runLangChain(true) },
  { sdk: 'LangChain on responses, streamed', run: runLangChain(true, { isStream: true }) },
  { sdk: 'LangChain with previous_response_id', run: runLangChain(true, { isChained: true }), keepsThoughts: true },
];
