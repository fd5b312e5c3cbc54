/** Forms of text that more than one field can ask for: of an answer, and of the input of a tool (specification 2.2 and 2.4). */
import { z } from 'zod';

export const PlainTextFormat = z.looseObject({ type: z.literal('text') }).meta({ id: 'PlainTextFormat', description: 'Text of any form.' });

export const JsonObjectFormat = z
  .looseObject({ type: z.literal('json_object') })
  .meta({ id: 'JsonObjectFormat', description: 'Any JSON object. The prompt has to ask for JSON as well.' });
