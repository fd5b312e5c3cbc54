/** Writes the content of chat messages: of users, of the assistant, and of tools. */

import type { AudioPart, FilePart, ImagePart, Part, RefusalPart, TextPart } from '../canonical/canonical-request.ts';
import { createUnsupportedError } from '../canonical/dropped-fields.ts';
import type { WireObject } from './wire.ts';

/** A single text becomes a string, which every provider accepts. */
type Content = string | readonly WireObject[];

const writeText = ({ text }: TextPart): WireObject => ({ type: 'text', text });

function writeImage({ url, detail }: ImagePart, path: string): WireObject {
  if (url === null)
    throw createUnsupportedError(`${path}.file_id`, "Uploaded images can't be used with this model. Send the image as a data URL.");
  // Chat has no `original`. `high` is the nearest value.
  return { type: 'image_url', image_url: { url, ...(detail !== null && { detail: detail === 'original' ? 'high' : detail }) } };
}

function writeFile({ filename, data, fileId, url }: FilePart, path: string): WireObject {
  if (url !== null)
    throw createUnsupportedError(`${path}.file_url`, "File URLs can't be used with this model. Send the file's content in 'file_data'.");
  const file = {
    ...(filename !== null && { filename }),
    ...(data !== null && { file_data: data }),
    ...(fileId !== null && { file_id: fileId }),
  };
  return { type: 'file', file };
}

const writeAudio = ({ data, format }: AudioPart): WireObject => ({ type: 'input_audio', input_audio: { data, format } });

function rejectPart({ kind }: RefusalPart | Part, path: string): never {
  throw createUnsupportedError(path, `This message can't contain a part of type '${kind}'.`);
}

function writePart(part: Part, path: string): WireObject {
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
      return rejectPart(part, path);
  }
}

function toContent(parts: readonly Part[], writtenParts: readonly WireObject[]): Content {
  const singlePart = parts.length === 1 ? parts[0] : undefined;
  return singlePart?.kind === 'text' ? singlePart.text : parts.length === 0 ? '' : writtenParts;
}

export function writeUserContent(parts: readonly Part[], path: string): Content {
  return toContent(
    parts,
    parts.map((part, index) => writePart(part, `${path}[${index}]`)),
  );
}

/** Writes content for messages that can contain only text in chat. */
export function writeTextContent(parts: readonly Part[], path: string): Content {
  return toContent(
    parts,
    parts.map((part, index) => (part.kind === 'text' ? writeText(part) : rejectPart(part, `${path}[${index}]`))),
  );
}

export interface AssistantContent {
  readonly text: string | null;
  readonly refusal: string | null;
}

/** The assistant's text and refusal as two strings, which every provider reads. */
export function writeAssistantContent(parts: readonly Part[], path: string): AssistantContent {
  let text: string | null = null;
  let refusal: string | null = null;
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'text') text = (text ?? '') + part.text;
    else if (part.kind === 'refusal') refusal = (refusal ?? '') + part.text;
    else rejectPart(part, `${path}[${index}]`);
  }
  return { text, refusal };
}

/** A tool result: `content` is its text, and `shown` its images and files, which go into a user message after it. */
export function writeToolContent(
  parts: readonly Part[],
  path: string,
): { readonly content: Content; readonly shown: readonly WireObject[] } {
  const texts = parts.filter((part) => part.kind === 'text');
  const attachments = parts.flatMap((part, index) => (part.kind === 'text' ? [] : [writePart(part, `${path}[${index}]`)]));
  return { content: toContent(texts, texts.map(writeText)), shown: attachments };
}
