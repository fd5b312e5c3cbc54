/** A model that does the task of `modelgate connect --test` with the tools of each coding tool: it reads a file, and writes the word in it to another. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chatCompletion, chatFrames, type FakeToolCall } from '../fakes/chat.ts';
import { json, stream } from '../fakes/delivery.ts';
import type { FakeRequest } from '../fakes/exchange.ts';
import type { Script } from '../fakes/script.ts';
import { list } from './codex-vendors.ts';

interface Hands {
  readonly read: (folder: string) => readonly [name: string, args: object];
  readonly write: (folder: string, word: string) => readonly [name: string, args: object];
}

const patchOf = (word: string) => `*** Begin Patch\n*** Add File: answer.txt\n+${word}\n*** End Patch\n`;

/** By the tool's ID: the names and arguments that its own tools have in these versions. */
export const hands: Readonly<Record<string, Hands>> = {
  codex: {
    read: () => ['exec_command', { cmd: 'cat notes.txt' }],
    write: (_, word) => ['apply_patch', { input: patchOf(word) }],
  },
  opencode: {
    read: (folder) => ['read', { filePath: `${folder}/notes.txt` }],
    write: (_, word) => ['apply_patch', { patchText: patchOf(word) }],
  },
  cline: {
    read: (folder) => ['read_files', { files: [{ path: `${folder}/notes.txt` }] }],
    write: (_, word) => ['apply_patch', { input: patchOf(word) }],
  },
  continue: {
    read: () => ['Bash', { command: 'cat notes.txt' }],
    write: (_, word) => ['Write', { filepath: 'answer.txt', content: word }],
  },
  llm: {
    read: () => ['read_file', { path: 'notes.txt' }],
    write: (_, word) => ['write_file', { path: 'answer.txt', content: word }],
  },
  'claude-code': {
    read: (folder) => ['Read', { file_path: `${folder}/notes.txt` }],
    write: (folder, word) => ['Write', { file_path: `${folder}/answer.txt`, content: word }],
  },
};

export const goodbye = 'The word is written.';

const results = ({ fields }: FakeRequest): readonly string[] =>
  list(fields.messages)
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => JSON.stringify(content));

function say({ fields }: FakeRequest, reply: { readonly text?: string; readonly toolCalls?: readonly FakeToolCall[] }): Script {
  return fields.stream === true ? stream(chatFrames({ ...reply, includeUsage: true })) : json(chatCompletion(reply));
}

const call = (id: string, [name, args]: readonly [string, object]): FakeToolCall => ({ id, name, arguments: JSON.stringify(args) });

/** The word is in the first result; the folder of the task is named in the request. */
export const vendorFor =
  (tool: string) =>
  (request: FakeRequest): Script => {
    const own = hands[tool];
    if (!own) return say(request, { text: editOf(request) });
    // Titles and summaries are asked for without tools.
    if (list(request.fields.tools).length === 0) return say(request, { text: 'A title' });
    const [read, written] = results(request);
    const folder = new RegExp(`${join(tmpdir(), 'modelgate-connect-')}\\w+`).exec(JSON.stringify(request.fields))?.[0] ?? '.';
    if (read === undefined) return say(request, { toolCalls: [call('call_read', own.read(folder))] });
    if (written !== undefined) return say(request, { text: goodbye });
    const word = /[0-9a-f]{12}/.exec(read)?.[0] ?? 'no word in the result';
    return say(request, { toolCalls: [call('call_write', own.write(folder, word))] });
  };

/** Aider has no tools: files are in the request, and edits in the text. */
function editOf({ fields }: FakeRequest): string {
  const word = /notes\.txt\\n```\\n([0-9a-f]{12})/.exec(JSON.stringify(fields.messages))?.[1] ?? 'no word in the request';
  return `answer.txt\n\`\`\`\n<<<<<<< SEARCH\n=======\n${word}\n>>>>>>> REPLACE\n\`\`\`\n`;
}

/** Draws with Codex' image tool, edits what it has drawn, and runs a program that asks over chat. */
export const illustrator =
  (baseUrl: string) =>
  (request: FakeRequest): Script => {
    const said = results(request);
    const path = /[\w/.-]+generated_images[\w/.-]+\.png/.exec(said.join(' '))?.[0] ?? 'no path in the result';
    const program = `curl -sS ${baseUrl}/chat/completions -H "Authorization: Bearer $MODELGATE_API_KEY" -H 'content-type: application/json' -d '${JSON.stringify({ model: 'gpt-5.4', messages: [{ role: 'user', content: 'Name it.' }] })}'`;
    const calls = [
      call('call_draw', ['image_gen__imagegen', { prompt: 'A lighthouse in the fog' }]),
      call('call_edit', ['image_gen__imagegen', { prompt: 'The same at night', referenced_image_paths: [path] }]),
      call('call_ask', ['exec_command', { cmd: program }]),
    ];
    const next = request.fields.stream === true ? calls[said.length] : undefined;
    return say(request, next ? { toolCalls: [next] } : { text: goodbye });
  };
