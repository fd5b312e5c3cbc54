/** Text formats that several fields use: for output, and for the input of tools. */
import { z } from 'zod';
import { kind } from './descriptions.ts';

export const PlainTextFormat = z
  .looseObject({ type: kind('text') })
  .meta({ id: 'PlainTextFormat', description: 'Plain text, the default.' });

/** The last member of a union of formats. */
export const UNKNOWN_FORMAT = {
  id: 'UnknownFormat',
  description: 'Newer than this version of the API. Returns 400 unless an upstream of the model has the API of the call.',
  shape: {},
} as const;

export const JsonObjectFormat = z.looseObject({ type: kind('json_object') }).meta({
  id: 'JsonObjectFormat',
  description:
    "Any JSON object. Ask for JSON in the prompt as well. Anthropic upstreams, and older Gemini models with tools, have no JSON mode: the gateway asks for JSON in the prompt, and returns `upstream_error` if the output isn't a JSON object.",
});
