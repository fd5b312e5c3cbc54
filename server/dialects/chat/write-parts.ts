/** Writes the content of chat messages: text, images, audio and files. */
import type { AudioPart, FilePart, ImagePart, Part, RefusalPart, TextPart } from '../turn/turn.ts';
import { unsupported } from '../turn/unsupported.ts';

export type Wire = Readonly<Record<string, unknown>>;
/** A single text is a string, which every vendor accepts. */
export type Content = string | readonly Wire[];

const writeText = ({ text }: TextPart): Wire => ({ type: 'text', text });

function writeImage({ url, detail }: ImagePart, path: string): Wire {
  if (url === null) throw unsupported(`${path}.file_id`, 'An uploaded image cannot be named here: send it as a data URL.');
  // Chat has no `original`; `high` is the nearest value.
  return { type: 'image_url', image_url: { url, ...(detail !== null && { detail: detail === 'original' ? 'high' : detail }) } };
}

function writeFile({ filename, data, fileId, url }: FilePart, path: string): Wire {
  if (url !== null) throw unsupported(`${path}.file_url`, 'A file cannot be given by its address here: send its bytes in `file_data`.');
  const file = {
    ...(filename !== null && { filename }),
    ...(data !== null && { file_data: data }),
    ...(fileId !== null && { file_id: fileId }),
  };
  return { type: 'file', file };
}

const writeAudio = ({ data, format }: AudioPart): Wire => ({ type: 'input_audio', input_audio: { data, format } });

function refusePart({ kind }: RefusalPart | Part, path: string): never {
  throw unsupported(path, `A part of this kind (${kind}) has no place in this message.`);
}

function writePart(part: Part, path: string): Wire {
  switch (part.kind) {
    case 'text':
      return writeText(part);
    case 'image':
      return writeImage(part, path);
    case 'file':
      return writeFile(part, path);
    case 'audio':
      return writeAudio(part);
    case 'refusal':
      return refusePart(part, path);
  }
}

function shorten(parts: readonly Part[], written: readonly Wire[]): Content {
  const only = parts.length === 1 ? parts[0] : undefined;
  return only?.kind === 'text' ? only.text : parts.length === 0 ? '' : written;
}

export function writeUserContent(parts: readonly Part[], path: string): Content {
  return shorten(
    parts,
    parts.map((part, index) => writePart(part, `${path}[${index}]`)),
  );
}

/** For messages that may only hold text on chat. */
export function writeTextContent(parts: readonly Part[], path: string): Content {
  return shorten(
    parts,
    parts.map((part, index) => (part.kind === 'text' ? writeText(part) : refusePart(part, `${path}[${index}]`))),
  );
}

export interface AnswerContent {
  readonly text: string | null;
  readonly refusal: string | null;
}

/** The assistant's text and refusal, as the two strings that every vendor reads. */
export function writeAnswerContent(parts: readonly Part[], path: string): AnswerContent {
  let text: string | null = null;
  let refusal: string | null = null;
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'text') text = (text ?? '') + part.text;
    else if (part.kind === 'refusal') refusal = (refusal ?? '') + part.text;
    else refusePart(part, `${path}[${index}]`);
  }
  return { text, refusal };
}

/** A tool's result: its text (`content`); images and files (`shown`) go into a user message after it. */
export function writeToolContent(parts: readonly Part[], path: string): { readonly content: Content; readonly shown: readonly Wire[] } {
  const texts = parts.filter((part) => part.kind === 'text');
  const shown = parts.flatMap((part, index) => (part.kind === 'text' ? [] : [writePart(part, `${path}[${index}]`)]));
  return { content: shorten(texts, texts.map(writeText)), shown };
}
