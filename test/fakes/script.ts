/** What the fake vendor can be told to do, as data: a script is a list of steps. */

/** A list as a value sends the header several times. */
export type HeaderValues = Readonly<Record<string, string | readonly string[]>>;

export type Step =
  /** `close`: no length and no chunks, so that the end of the connection is the end of the body. */
  | { readonly kind: 'head'; readonly status: number; readonly headers: HeaderValues; readonly framing: 'length' | 'chunked' | 'close' }
  | { readonly kind: 'write'; readonly bytes: Uint8Array; readonly times?: number }
  /** Bytes on the socket, past HTTP. */
  | { readonly kind: 'raw'; readonly bytes: Uint8Array }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'until'; readonly gate: Promise<unknown> }
  /** Ends the HTTP message as it should be ended. */
  | { readonly kind: 'end' }
  /** Destroys the socket; `reset` sends RST where `cut` sends FIN. */
  | { readonly kind: 'cut' }
  | { readonly kind: 'reset' }
  /** Holds the connection open, in silence, until the client goes. */
  | { readonly kind: 'stall' };

export type Script = readonly Step[];
