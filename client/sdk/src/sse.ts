/** Reads server-sent events from bytes in any chunks, as the HTML standard defines them. */

/**
 * The data of every complete event. Lines end with CR, LF, or both. Comments and fields other than `data` contain nothing
 * that isn't in the data, too. An event without its empty line at the end is incomplete, and is dropped.
 */
export async function* readEventData(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let line = '';
  let data: string[] = [];
  let hasCarriageReturn = false;
  for await (const chunk of chunks) {
    let text = decoder.decode(chunk, { stream: true });
    // The line feed of a CRLF that was split between two chunks.
    if (hasCarriageReturn && text.startsWith('\n')) text = text.slice(1);
    else if (text === '') continue;
    hasCarriageReturn = text.endsWith('\r');
    // Only new text is searched: an image arrives as one line of many megabytes in small chunks.
    const [first = '', ...rest] = text.split(/\r\n|\r|\n/);
    line += first;
    for (const next of rest) {
      if (line !== '') {
        const field = /^data(?:: ?|$)/.exec(line);
        if (field) data.push(line.slice(field[0].length));
      } else if (data.length > 0) {
        yield data.join('\n');
        data = [];
      }
      line = next;
    }
  }
}
