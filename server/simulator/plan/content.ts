/** Text and media types of message content, alike in both wire formats. */
import { toRecords, toText } from '../values.ts';

/** A string, or the text parts of a list. */
export function joinText(content: unknown): string {
  if (typeof content === 'string') return content;
  return toRecords(content)
    .map((part) => toText(part.text))
    .filter((text) => text !== '')
    .join('\n');
}

/** How a picture or file was given, in a word: its media type, "linked", or "by id". */
export function describeUrl(url: string): string {
  const mediaType = /^data:([\w.+-]{1,60}\/[\w.+-]{1,60})/.exec(url)?.[1];
  if (mediaType) return mediaType;
  if (/^https?:/i.test(url)) return 'linked';
  return url === '' ? 'by id' : 'inline';
}
