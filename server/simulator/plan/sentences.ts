/** The plain sentences of an answer: they quote the prompt and say once that no model speaks. */
import { excerpt } from '../excerpt.ts';
import type { Ask, Attachment } from './ask.ts';
import { obey, readCommand } from './commands.ts';

const IDENTITY = 'I am the built-in simulator of this gateway, not a model';

/** The text of all choices; with several, each adds its number. */
export function writeSentences(ask: Ask): string {
  if (ask.results.length > 0) return answerResults(ask);
  const command = readCommand(ask.prompt);
  return command ? obey(command) : answerPrompt(ask);
}

export const refusalText = `I was asked to refuse, so I refuse. ${IDENTITY}: this shows what a refusal looks like.`;

export function writeReasoning(ask: Ask): string {
  const task = ask.results.length > 0 ? 'the result of a tool' : `“${excerpt(ask.prompt, 60)}”`;
  return `**Reading the request**\n\nThe last thing I was given is ${task}. A simulator does not think; it chooses a fitting form and writes it.`;
}

function answerPrompt(ask: Ask): string {
  const quote = excerpt(ask.prompt, 90);
  const extras = describeAttachments(ask.attachments);
  if (quote === '') return `I found no text in your message.${extras} ${IDENTITY}.`;
  if (/^(hi|hello|hey|hallo|good (morning|evening|day))\b.{0,12}$/iu.test(quote)) {
    return `Hello! You wrote “${quote}”. ${IDENTITY}. Try “count to 10”, “repeat: some text”, or “call” and the name of one of your tools.`;
  }
  const verb = quote.includes('?') ? 'asked' : 'wrote';
  return `You ${verb}: “${quote}”${/[.?!…]$/u.test(quote) ? '' : '.'}${extras} ${IDENTITY}, so I cannot know a real answer; this shows how one would reach you.`;
}

function answerResults(ask: Ask): string {
  const results = ask.results.map(({ name, text }) => `The tool ${name} answered: “${excerpt(text, 200)}”.`);
  return `${results.join(' ')} ${IDENTITY}, so I pass this on as it came.`;
}

/** A command is followed exactly, in every choice. */
export const isNumbered = (ask: Ask): boolean =>
  ask.choices > 1 && ask.format.kind === 'text' && (ask.results.length > 0 || readCommand(ask.prompt) === null);

/** `choice` is the index of an answer among several. */
export const writeNumber = (ask: Ask, choice: number): string => ` This is choice ${choice + 1} of ${ask.choices}.`;

function describeAttachments(attachments: readonly Attachment[]): string {
  if (attachments.length === 0) return '';
  const nouns = [...new Set(attachments.map(({ noun }) => noun))];
  const groups = nouns.map((noun) => {
    const types = attachments.filter((attachment) => attachment.noun === noun).map(({ type }) => type);
    return `${types.length} ${noun}${types.length > 1 ? 's' : ''} (${[...new Set(types)].join(', ')})`;
  });
  return ` With it came ${groups.join(' and ')}.`;
}
