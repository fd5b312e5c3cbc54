/** Reads the text of a response. */
import type { ChatCompletion, ModelResponse } from './types.gen.ts';

/** The complete text of a response: every `output_text` part of every message, joined. Empty if the model only called tools. */
export function outputText(response: ModelResponse): string {
  let text = '';
  for (const item of response.output) {
    if (item.type === 'message') for (const part of item.content) if (part.type === 'output_text') text += part.text;
  }
  return text;
}

/** The text of the first choice of a chat completion. Empty if the model only called tools. */
export const chatText = (completion: ChatCompletion): string => completion.choices[0]?.message.content ?? '';
