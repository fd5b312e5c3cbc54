/** Text formats that several fields share: for output, and for tool input. */
import { z } from 'zod';
import { createTypeField } from './descriptions.ts';

export const PlainTextFormat = z
  .looseObject({ type: createTypeField('text') })
  .meta({ id: 'PlainTextFormat', description: 'Plain text, the default.' });

/** Fallback member for unions of formats. Accepts formats newer than the contract. */
export const UNKNOWN_FORMAT = {
  id: 'UnknownFormat',
  description: 'Newer than this version of the API. Returns 400 unless an upstream of the model has the API of the call.',
  shape: {},
} as const;

export const JsonObjectFormat = z.looseObject({ type: createTypeField('json_object') }).meta({
  id: 'JsonObjectFormat',
  description:
    "Any JSON object. Ask for JSON in the prompt as well. Anthropic upstreams, and older Gemini models with tools, have no JSON mode: the gateway asks for JSON in the prompt, and returns `upstream_error` if the output isn't a JSON object.",
});
