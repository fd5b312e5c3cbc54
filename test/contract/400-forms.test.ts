/** Status 400 on image edits by form: mistakes in a part, a file or the form itself. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ErrorCode } from '../../contract/errors.ts';
import { drawPng } from '../fakes/images.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { request, talk } from '../harness/raw.ts';
import { expectRefusal } from '../harness/refusal.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

type Part = readonly [name: string, value: string | Blob, filename?: string];
type Row = readonly [title: string, parts: readonly Part[], code: ErrorCode, param: string | null, says: string];

const blob = (bytes: Buffer) => new Blob([new Uint8Array(bytes)]);
const png = blob(drawPng());
const fields: readonly Part[] = [
  ['model', 'gpt-image-2'],
  ['prompt', 'a hat'],
];
const good: readonly Part[] = [...fields, ['image', png, 'a.png']];

function formOf(parts: readonly Part[]): FormData {
  const form = new FormData();
  for (const [name, value, filename] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, filename ?? 'upload');
  }
  return form;
}
const images = (count: number): Part[] => Array.from({ length: count }, () => ['image[]', png, 'a.png'] as const);

const rows: readonly Row[] = [
  ['sends no image', fields, 'missing_required_parameter', 'image', "'image'"],
  ['sends the image as a text field', [...fields, ['image', 'a.png']], 'missing_required_parameter', 'image', "'image'"],
  ['sends 17 images', [...fields, ...images(17)], 'array_above_max_length', 'image', 'at most 16'],
  ['sends 40 images', [...fields, ...images(40)], 'array_above_max_length', 'image', 'too many files'],
  ['sends two masks', [...good, ['mask', png], ['mask', png]], 'array_above_max_length', 'mask', 'one file'],
  [
    'uploads text as the image',
    [...fields, ['image', blob(Buffer.from('just text')), 'a.png']],
    'invalid_image_format',
    'image',
    'PNG, JPEG, or WebP',
  ],
  ['uploads an empty file', [...fields, ['image', blob(Buffer.alloc(0)), 'a.png']], 'invalid_image_format', 'image', 'PNG, JPEG, or WebP'],
  ['uploads a mask of another size', [...good, ['mask', blob(drawPng(32, 32))]], 'invalid_value', 'mask', '32x32'],
  [
    'uploads a mask that is no PNG',
    [...good, ['mask', blob(Buffer.from('ffd8ffe000104a464946', 'hex'))]],
    'invalid_image_format',
    'mask',
    'PNG',
  ],
  [
    'uploads a mask of 5 MB',
    [...good, ['mask', blob(Buffer.concat([drawPng(), Buffer.alloc(5_000_000)]))]],
    'image_file_too_large',
    'mask',
    '4 MB',
  ],
  [
    'uploads the prompt as a file',
    [
      ['model', 'gpt-image-2'],
      ['prompt', png],
      ['image', png],
    ],
    'invalid_type',
    'prompt',
    "can't be a file",
  ],
  [
    'leaves the prompt out',
    [
      ['model', 'gpt-image-2'],
      ['image', png],
    ],
    'missing_required_parameter',
    'prompt',
    "'prompt'",
  ],
  [
    'leaves the model out',
    [
      ['prompt', 'a hat'],
      ['image', png],
    ],
    'missing_required_parameter',
    'model',
    "'model'",
  ],
  ['writes n as letters', [...good, ['n', 'abc']], 'invalid_type', 'n', 'an integer'],
  ['writes n with a fraction', [...good, ['n', '1.5']], 'invalid_type', 'n', 'an integer'],
  ['writes n as an empty text', [...good, ['n', '']], 'invalid_type', 'n', 'an integer'],
  ['asks for 11 images', [...good, ['n', '11']], 'integer_above_max_value', 'n', 'at most 10'],
  ['sets stream to "maybe"', [...good, ['stream', 'maybe']], 'invalid_type', 'stream', "'true' or 'false'"],
  ['writes the prompt twice', [...good, ['prompt', 'a coat']], 'invalid_value', 'prompt', 'more than once'],
  ['writes the model twice', [...good, ['model', 'gpt-image-2']], 'invalid_value', 'model', 'more than once'],
  [
    'writes a prompt of 300 KB',
    [
      ['model', 'gpt-image-2'],
      ['prompt', 'x'.repeat(300_000)],
      ['image', png],
    ],
    'string_above_max_length',
    'prompt',
    'exceeds 256 KiB',
  ],
  ['writes an unknown field of 300 KB', [...good, ['x_note', 'x'.repeat(300_000)]], 'string_above_max_length', 'x_note', 'exceeds 256 KiB'],
  [
    'writes 100 fields',
    [...good, ...Array.from({ length: 100 }, (_, i): Part => [`x_${i}`, 'v'])],
    'invalid_value',
    null,
    'too many fields',
  ],
  ['asks for a size that is no multiple of 16', [...good, ['size', '1000x1000']], 'invalid_value', 'size', 'multiples of 16'],
  ['sends messages', [...good, ['messages', '[]']], 'unknown_parameter', 'messages', "'prompt'"],
  [
    'names a text model',
    [
      ['model', 'gpt-5.4'],
      ['prompt', 'a hat'],
      ['image', png],
    ],
    'unsupported_value',
    'model',
    'POST /v1/chat/completions',
  ],
];

test.each(rows)('returns 400 with code, field and reason for a form that %s', async (_title, parts, code, param, says) => {
  await expectRefusal(await gateway.call('/images/edits', { body: formOf(parts) }), { code, param, says });
});

const part = (head: string, body: string) => `--b\r\ncontent-disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
const start = part('name="model"', 'gpt-image-2') + part('name="prompt"', 'a hat');
const boundary = 'multipart/form-data; boundary=b';
const broken: readonly (readonly [title: string, contentType: string, body: string, code: ErrorCode, param: string | null])[] = [
  ['has no boundary', 'multipart/form-data', `${start}--b--\r\n`, 'invalid_value', null],
  ['has another boundary than it says', 'multipart/form-data; boundary=c', `${start}--b--\r\n`, 'invalid_value', null],
  ['is empty', boundary, '', 'missing_required_parameter', 'image'],
  ['has no part', boundary, '--b--\r\n', 'missing_required_parameter', 'image'],
  ['ends inside a field', boundary, `${start.slice(0, -6)}`, 'invalid_value', null],
  ['ends inside a file', boundary, `${start}${part('name="image"; filename="a.png"', 'half of it').slice(0, -2)}`, 'invalid_value', null],
  ['ends without its last line', boundary, start, 'invalid_value', null],
  ['has a field named __proto__', boundary, `${start}${part('name="__proto__"', 'x')}--b--\r\n`, 'invalid_value', null],
];

test.each(broken)('returns 400 with its code for a form that %s', async (_title, contentType, body, code, param) => {
  const answer = await gateway.call('/images/edits', { method: 'POST', body, headers: { 'content-type': contentType } });
  await expectRefusal(answer, { code, param });
});

test('keeps the connection usable after it rejects a form at its first part', async () => {
  const large = blob(Buffer.concat([drawPng(), Buffer.alloc(3_000_000)]));
  const form = new Request(gateway.origin, { method: 'POST', body: formOf([['prompt', png], ...fields, ['image', large]]) });
  const head = (line: string) => [line, `authorization: Bearer ${gateway.key}`];
  const type = `content-type: ${form.headers.get('content-type')}`;
  const upload = request([...head('POST /v1/images/edits HTTP/1.1'), type], new Uint8Array(await form.arrayBuffer()));
  const answers = await talk(gateway.origin, upload, request([...head('GET /v1/models HTTP/1.1'), 'connection: close']));
  expect(answers.map(({ status }) => status)).toEqual([400, 200]);
});
