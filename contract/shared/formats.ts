/** Text formats that several fields use: for answers, and for the input of tools. */
import { z } from 'zod';
import { kind } from './descriptions.ts';

export const PlainTextFormat = z
  .looseObject({ type: kind('text') })
  .meta({ id: 'PlainTextFormat', description: 'Plain text, the default.' });

export const JsonObjectFormat = z.looseObject({ type: kind('json_object') }).meta({
  id: 'JsonObjectFormat',
  description:
    'Any JSON object. Ask for JSON in the prompt as well. Anthropic upstreams have no such mode, nor have older Gemini models beside tools: the gateway asks them in the prompt, and an answer that is not an object is `upstream_error`.',
});
