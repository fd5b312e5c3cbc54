/** Our terms in the OpenTelemetry conventions for generative AI. */
import type { RequestRecord } from './record.ts';

/** GenAI operations by route pattern; other routes are none. */
const operations: Readonly<Record<string, string>> = {
  '/v1/chat/completions': 'chat',
  '/v1/responses': 'chat',
  '/v1/images/generations': 'generate_content',
  '/v1/images/edits': 'generate_content',
};

const providers: Readonly<Record<string, string>> = { gemini: 'gcp.gemini', simulator: 'modelgate.simulator' };

/** The label of unknown models, so that callers cannot create labels (F54). */
export const UNKNOWN = 'unknown';

export const operationOf = ({ line }: RequestRecord): string | undefined => (line.method === 'POST' ? operations[line.route] : undefined);

export const providerOf = ({ provider }: RequestRecord): string => (provider === undefined ? UNKNOWN : (providers[provider] ?? provider));

/** Undefined when it succeeded. */
export const errorTypeOf = ({ line }: RequestRecord): string | undefined =>
  line.code ?? (line.end === 'completed' || line.end === 'incomplete' ? undefined : line.end);
