/**
 * Starts a gateway inside the process of a user's tests: the exports of `modelgate/testing`. Its types refer to no other type, so that they can be published
 * unchanged.
 */
import { resolve } from 'node:path';
import type { Flags } from '../config/overrides.ts';
import { ScriptedAnswer as ScriptedAnswerSettings } from '../config/scripted-answer.ts';
import type { Script } from '../providers/simulator/script.ts';
import { type Cleanups, closeTestGateway, describeUnusedAnswers, openTestGateway, type TestGatewayOptions } from './open-test-gateway.ts';

/** A model operation of the API. */
export type Operation = 'createChatCompletion' | 'createResponse' | 'generateImages' | 'editImages';

/** Conditions for a request to get an answer. All of them must match. */
export interface AnswerCondition {
  readonly model?: string;
  readonly operation?: Operation;
  /** Whether the conversation ends with the result of a tool. */
  readonly hasToolResult?: boolean;
  /** Text in the last user message or the image prompt. A string must be contained, a RegExp must match. */
  readonly input?: string | RegExp;
}

/** A response that the simulator returns instead of its default text. */
export interface ScriptedAnswer {
  readonly text?: string;
  /** Calls of tools that the request offers; any other tool is an error. `arguments` is an object for functions, and text for custom tools. */
  readonly toolCalls?: readonly { readonly name: string; readonly arguments?: Readonly<Record<string, unknown>> | string }[];
  /** The summary of the reasoning. */
  readonly reasoning?: string;
  /** Images in base64. */
  readonly images?: readonly string[];
  /** Token counts. Omitted ones are estimated. */
  readonly usage?: {
    readonly inputTokens?: number;
    readonly cachedTokens?: number;
    readonly outputTokens?: number;
    readonly reasoningTokens?: number;
  };
  /** A code of the API's errors, such as `rate_limit_exceeded`. The call fails with it and its status. */
  readonly error?: string;
  /** Delay before the response, in milliseconds. */
  readonly delayMs?: number;
  /** Cuts a stream after this many events. Without streaming, the request fails with 502. */
  readonly cutAfter?: number;
  /** Which requests get this answer. Defaults to the next request that no earlier answer matches. */
  readonly when?: AnswerCondition;
  /** How many requests get this answer. Defaults to 1. */
  readonly times?: number;
}

/** Fields of a request, as they were sent. */
export interface ReceivedFields {
  readonly [name: string]: unknown;
}

/** A request that reached the simulator, with its parsed body. For a form, the body contains the text fields. */
export type ReceivedRequest =
  | {
      readonly operation: 'createChatCompletion';
      readonly body: ReceivedFields & {
        readonly model: string;
        readonly messages: readonly (ReceivedFields & { readonly role: string })[];
      };
    }
  | {
      readonly operation: 'createResponse';
      /** The input of earlier responses that this one continues is in `input`. */
      readonly body: ReceivedFields & { readonly model: string; readonly input?: string | readonly ReceivedFields[] };
    }
  | {
      readonly operation: 'generateImages' | 'editImages';
      readonly body: ReceivedFields & { readonly model: string; readonly prompt: string };
    };

/** Options of `startGateway`. All are optional. */
export interface StartOptions {
  /**
   * What the simulator responds with, in this order. Later requests get the simulator's own text. The simulator replaces all upstreams of the
   * configuration.
   */
  readonly answers?: readonly ScriptedAnswer[];
  /**
   * Rejects requests with unknown fields, and, once `answers` (even an empty list) or `next` was used, requests without a remaining answer. `stop`
   * and `reset` throw if an answer wasn't used. The simulator replaces all upstreams of the configuration.
   */
  readonly strict?: boolean;
  /** Path of a folder in which each call and its response is saved. */
  readonly record?: string;
  /** Path of a folder with recorded calls. The gateway responds from them, and calls no upstream. */
  readonly replay?: string;
  /**
   * The path of a configuration file, or an object with the same keys (`upstreams`, `models`, `billing`, …). Defaults
   * to the built-in simulator with the seven standard models, without a delay between events. An object without
   * `upstreams` gets the same simulator.
   */
  readonly config?: string | Readonly<Record<string, unknown>>;
  /** Path of the data folder. Defaults to a new temporary folder, which `stop` deletes. A folder that you specify isn't deleted. */
  readonly data?: string;
  /** Port on 127.0.0.1. Defaults to 0, which selects a free port. */
  readonly port?: number;
  /** Opening balance of the key's account in dollars, such as `'2.50'`, for a new data folder. Defaults to 100. */
  readonly balance?: string;
  /**
   * Values for `${NAME}` in a file, instead of environment variables. The process environment is never read, so that
   * no provider key is used by accident.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A running gateway. */
export interface StartedGateway {
  /** Base URL for callers. Ends in `/v1`. */
  readonly baseUrl: string;
  /** A key of the account `default`. */
  readonly apiKey: string;
  /** Adds an answer after the remaining ones. */
  readonly next: (answer: ScriptedAnswer) => void;
  /** The requests that the gateway has sent to the simulator, oldest first. */
  readonly requests: readonly ReceivedRequest[];
  /** Removes all answers and requests, for the next test. */
  readonly reset: () => void;
  /** Stops the gateway, closes open connections, and deletes a temporary data folder. Further calls wait for the same stop. */
  readonly stop: () => Promise<void>;
  /** Same as `stop`, for `await using`. */
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/**
 * Starts a gateway in this process, without listeners for operators or metrics, output on stdout, or signal handlers.
 * Resolves when the gateway accepts calls. If the configuration is invalid, throws what `modelgate config check`
 * reports. docs/guides/testing-with-a-gateway.md shows it in a test suite.
 */
export async function startGateway(options: StartOptions = {}): Promise<StartedGateway> {
  const cleanups: Cleanups = [];
  let stopPromise: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopPromise ??= closeTestGateway(cleanups);
    return stopPromise;
  };
  try {
    const { script, ...connection } = await openTestGateway(toLaunch(options), cleanups);
    const { strict = false } = options;
    const stopAndCheck = async (): Promise<void> => {
      await stop();
      const unused = describeUnusedAnswers(script);
      if (strict && unused !== undefined) throw new Error(unused);
    };
    return { ...connection, ...openControls(script, strict), stop: stopAndCheck, [Symbol.asyncDispose]: stopAndCheck };
  } catch (error) {
    await stop();
    throw error;
  }
}

function toLaunch(options: StartOptions): TestGatewayOptions {
  const { data, port, balance } = options;
  return {
    flags: { ...toConfigSource(options), ...toMockFlags(options), data, port },
    env: { MODELGATE_LOG_LEVEL: 'silent', ...options.env },
    balance,
  };
}

/** Mocks replace the upstreams of the configuration. */
function toMockFlags({ answers, strict, record, replay }: StartOptions): Pick<Flags, 'override' | 'tape'> {
  if (replay !== undefined && (record ?? answers ?? strict) !== undefined)
    throw new Error("'replay' can't be combined with 'record', 'answers', or 'strict'.");
  if (replay !== undefined) return { override: { name: 'replay' }, tape: { kind: 'replay', folder: resolve(replay) } };
  return {
    override: answers || strict ? { name: 'simulator', strict, answers: answers?.map(toSettings) } : undefined,
    tape: record === undefined ? undefined : { kind: 'record', folder: resolve(record) },
  };
}

/** Converts patterns to the format of the answer schema. */
function toSettings(answer: ScriptedAnswer): object {
  const { input } = answer.when ?? {};
  // Not `instanceof`: in a Jest test, a pattern belongs to the RegExp class of another VM context.
  return typeof input === 'object' ? { ...answer, when: { ...answer.when, input: String(input) } } : answer;
}

function openControls(script: Script | undefined, isStrict: boolean): Pick<StartedGateway, 'next' | 'requests' | 'reset'> {
  const requests: ReceivedRequest[] = [];
  // `as`: the contract has validated the body of this operation.
  script?.events.on('request', ({ operation, body }) => requests.push({ operation, body: body.value } as ReceivedRequest));
  return {
    requests,
    next(answer) {
      if (!script) throw new Error('next() needs an upstream of the kind simulator.');
      script.add(ScriptedAnswerSettings.parse(toSettings(answer)));
    },
    reset() {
      const unused = describeUnusedAnswers(script);
      script?.clear();
      requests.length = 0;
      if (isStrict && unused !== undefined) throw new Error(unused);
    },
  };
}

/** Tests share their process and their machine with the gateway, so load shedding is off unless the object sets it. */
const defaultConfig = {
  upstreams: { simulator: { kind: 'simulator', eventDelayMs: 0 } },
  server: { overload: { loopDelayMs: 0, memoryMiB: 0 } },
};

function toConfigSource({ config = {} }: StartOptions): { readonly file: string } | { readonly settings: object } {
  return typeof config === 'string'
    ? { file: config }
    : { settings: { ...defaultConfig, ...config, server: { ...defaultConfig.server, ...Object(config.server) } } };
}
