/** Our words in those of the OpenTelemetry conventions for generative AI. */
import { telemetryNameOf } from '../config/vendors.ts';
import type { RequestRecord } from './record.ts';

/** GenAI operations by route pattern; other routes are none. */
const operations: Readonly<Record<string, string>> = {
  '/v1/chat/completions': 'chat',
  '/v1/responses': 'chat',
  '/v1/images/generations': 'generate_content',
  '/v1/images/edits': 'generate_content',
  '/portal/v1/playground/chat/completions': 'chat',
  '/portal/v1/playground/responses': 'chat',
  '/portal/v1/playground/images/generations': 'generate_content',
  '/portal/v1/playground/images/edits': 'generate_content',
};

/** For what the catalog does not know, so that callers cannot make up labels (F54). */
export const UNKNOWN = 'unknown';

export const operationOf = ({ line }: RequestRecord): string | undefined => (line.method === 'POST' ? operations[line.route] : undefined);

export const providerOf = ({ provider }: RequestRecord): string => (provider === undefined ? UNKNOWN : telemetryNameOf(provider));

/** Undefined when it succeeded. */
export const errorTypeOf = ({ line }: RequestRecord): string | undefined =>
  line.code ?? (line.end === 'completed' || line.end === 'incomplete' ? undefined : line.end);
