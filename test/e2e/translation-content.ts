/** Cases of the translation matrix: text, images, files, audio, finish reasons and usage. */
import { drawPng } from '../fakes/images.ts';
import { asking, body, type Case, rejected, rejectedAt, served, showing } from './translation-case.ts';

const png = drawPng(8, 8).toString('base64');
const image = `data:image/png;base64,${png}`;
const pdf = Buffer.from('%PDF-1.4 fake').toString('base64');
const file = `data:application/pdf;base64,${pdf}`;
const address = 'https://pictures.example/a.png';
const sheet = 'https://papers.example/a.pdf';
const sound = { data: Buffer.from('RIFF').toString('base64'), format: 'wav' };

const shown = (part: object) => ({ messages: [{ role: 'user', content: [{ type: 'text', text: 'Look.' }, part] }] });
const input = (part: object) => ({ input: [{ role: 'user', content: [{ type: 'input_text', text: 'Look.' }, part] }] });
const told = (part: object) => ({ messages: [{ role: 'user', content: [{ text: 'Look.' }, part] }] });

export const contentCases: readonly Case[] = [
  {
    feature: 'text',
    ask: asking({}, {}),
    reply: { text: ['Grüße ', '☕ and ', '🌍.'] },
    sent: served({ messages: [{ role: 'user', content: [{ text: 'Hello' }] }] }),
  },
  {
    feature: 'input as a plain string',
    rows: 'F25',
    ask: { responses: { input: 'Hello' } },
    sent: served({ messages: [{ role: 'user', content: [{ text: 'Hello' }] }] }),
  },
  {
    feature: 'system and developer messages anywhere',
    ask: {
      chat: { messages: ['system:A', 'user:one', 'developer:B', 'user:two'].map(message) },
      responses: { instructions: 'A', input: ['user:one', 'developer:B', 'user:two'].map(message) },
    },
    sent: served({ system: [{ text: 'A' }], messages: [{ role: 'user', content: ['one', 'B', 'two'].map((text) => ({ text })) }] }),
  },
  {
    feature: 'image as a data URL',
    ask: showing(
      { type: 'image_url', image_url: { url: image, detail: 'high' } },
      { type: 'input_image', image_url: image, detail: 'high' },
    ),
    sent: served(told({ image: { format: 'png', source: { bytes: png } } })),
  },
  {
    feature: 'image as a URL',
    ask: showing({ type: 'image_url', image_url: { url: address } }, { type: 'input_image', image_url: address, detail: 'auto' }),
    sent: {
      chat: body(shown({ type: 'image_url', image_url: { url: address } })),
      responses: body(input({ type: 'input_image', image_url: address })),
      anthropic: body(shown({ type: 'image', source: { type: 'url', url: address } })),
      gemini: body({ contents: [{ role: 'user', parts: [{ text: 'Look.' }, { fileData: { fileUri: address, mimeType: 'image/png' } }] }] }),
      converse: rejectedAt('[0].content[1]'),
    },
  },
  {
    feature: 'PDF file as a data URL',
    ask: showing(
      { type: 'file', file: { filename: 'a.pdf', file_data: file } },
      { type: 'input_file', filename: 'a.pdf', file_data: file },
    ),
    sent: served(told({ document: { format: 'pdf', name: 'a pdf', source: { bytes: pdf } } })),
  },
  {
    feature: 'file as a URL',
    ask: showing(null, { type: 'input_file', file_url: sheet }),
    sent: {
      chat: rejected('input[0].content[1].file_url'),
      anthropic: body(shown({ type: 'document', source: { type: 'url', url: sheet } })),
      gemini: body({
        contents: [{ role: 'user', parts: [{ text: 'Look.' }, { fileData: { fileUri: sheet, mimeType: 'application/pdf' } }] }],
      }),
      converse: rejected('input[0].content[1]'),
    },
  },
  {
    feature: 'audio input',
    ask: showing({ type: 'input_audio', input_audio: sound }, null),
    sent: {
      responses: body(input({ type: 'input_audio', input_audio: sound })),
      anthropic: rejectedAt('[0].content[1]'),
      gemini: rejectedAt('[0].content[1]'),
      converse: rejectedAt('[0].content[1]'),
    },
  },
  {
    feature: 'refusal',
    ask: asking({}, {}),
    reply: { refusal: 'I will not do that.' },
    sent: { chat: body({}), responses: body({}) },
  },
  {
    feature: 'stop by a content filter',
    ask: asking({}, {}),
    reply: { text: 'Well, ', end: 'filter' },
    sent: served({}),
  },
  {
    feature: 'stop by length',
    rows: 'F09',
    ask: asking({ max_completion_tokens: 20 }, { max_output_tokens: 20 }),
    reply: { text: ['Once upon ', 'a'], end: 'length' },
    sent: served({ inferenceConfig: { maxTokens: 20 } }),
  },
  {
    feature: 'usage as a partition',
    rows: 'F34 F36',
    ask: asking({}, {}),
    reply: { thought: 'Hm.', text: 'Yes.' },
    sent: served({}),
  },
  {
    feature: 'log probabilities',
    ask: asking({ logprobs: true, top_logprobs: 2 }, { include: ['message.output_text.logprobs'], top_logprobs: 2 }),
    sent: {
      chat: body({ logprobs: true, top_logprobs: 2 }),
      responses: body({ include: ['reasoning.encrypted_content', 'message.output_text.logprobs'], top_logprobs: 2 }),
      anthropic: { chat: rejected('logprobs'), responses: rejected('top_logprobs') },
      gemini: body({ generationConfig: { responseLogprobs: true, logprobs: 2 } }),
      converse: { chat: rejected('logprobs'), responses: rejected('top_logprobs') },
    },
  },
];

/** `role:text`. */
function message(text: string) {
  const [role, content] = text.split(':');
  return { role, content };
}
