/** The usage of a chat answer. */
import { partition, type Usage, writeCacheWrite } from '../usage.ts';
import type { ChatUsage } from './wire.ts';

export function writeUsage(usage: Usage): ChatUsage {
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
