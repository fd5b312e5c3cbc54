/** Parses server-sent events from byte chunks of any size, as defined by the HTML standard. */

/**
 * Yields the data of every complete event. Lines can end with CR, LF, or CRLF. Comments and fields other than `data` are ignored, because
 * they add nothing to the data.
 * An event is incomplete without an empty line at its end, and is dropped.
 */
export async function* readEventData(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let line = '';
  let data: string[] = [];
  let hasCarriageReturn = false;
  for await (const chunk of chunks) {
    let text = decoder.decode(chunk, { stream: true });
    // Skips the LF of a CRLF that is split across two chunks.
    if (hasCarriageReturn && text.startsWith('\n')) text = text.slice(1);
    else if (text === '') continue;
    hasCarriageReturn = text.endsWith('\r');
    // Searches only the new text, because an image is one line of many megabytes in small chunks.
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
