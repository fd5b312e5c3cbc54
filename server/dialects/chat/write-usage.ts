/** The usage of a chat answer (specification 2.3). */
import type { Fields } from '../../../contract/rule.ts';
import type { Usage } from '../usage.ts';

export function writeUsage({ input, cached, output, reasoning }: Usage): Fields {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
