/** Forms of text that more than one field can ask for: of an answer, and of the input of a tool. */
import { z } from 'zod';
import { kind } from './wording.ts';

export const PlainTextFormat = z
  .looseObject({ type: kind('text') })
  .meta({ id: 'PlainTextFormat', description: 'Text of any form, as if no form were asked for.' });

export const JsonObjectFormat = z.looseObject({ type: kind('json_object') }).meta({
  id: 'JsonObjectFormat',
  description:
    'Any JSON object. Say so in the prompt as well. Anthropic upstreams have no such mode, nor have older Gemini models beside tools: they are told in words, and an answer without an object is `upstream_error`.',
});
