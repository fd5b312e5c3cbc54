/** Finds the values of OpenTelemetry's gen_ai attributes. */

import { getTelemetryName } from '../config/providers.ts';
import type { RequestRecord } from './telemetry.ts';

/** GenAI operations by route pattern. Other routes aren't GenAI operations. */
const operationsByRoute: Readonly<Record<string, string>> = {
  '/v1/chat/completions': 'chat',
  '/v1/responses': 'chat',
  '/v1/images/generations': 'generate_content',
  '/v1/images/edits': 'generate_content',
  '/portal/v1/playground/chat/completions': 'chat',
  '/portal/v1/playground/responses': 'chat',
  '/portal/v1/playground/images/generations': 'generate_content',
  '/portal/v1/playground/images/edits': 'generate_content',
};

/** Label for unknown models, so that callers can't create labels (F54). */
export const UNKNOWN_LABEL = 'unknown';

export const findGenAiOperation = ({ line }: RequestRecord): string | undefined =>
  line.method === 'POST' ? operationsByRoute[line.route] : undefined;

export const getProviderName = ({ provider }: RequestRecord): string =>
  provider === undefined ? UNKNOWN_LABEL : getTelemetryName(provider);

/** Undefined if the request succeeded. */
export const findErrorType = ({ line }: RequestRecord): string | undefined =>
  line.code ?? (line.end === 'completed' || line.end === 'incomplete' ? undefined : line.end);
