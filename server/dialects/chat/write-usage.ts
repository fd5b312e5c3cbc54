/** The usage of a chat answer (specification 2.3). */
import type { Fields } from '../../../contract/rule.ts';
import { partition, type Usage, writeCacheWrite } from '../usage.ts';

export function writeUsage(usage: Usage): Fields {
  const classes = partition(usage);
  return {
    prompt_tokens: classes.input,
    completion_tokens: classes.output,
    total_tokens: classes.total,
    prompt_tokens_details: { cached_tokens: classes.cachedInput, ...writeCacheWrite(classes), audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: classes.reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
