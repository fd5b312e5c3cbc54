/** The steps that the fake vendor can run. A script is a list of steps. */

/** Header values by name. A list sends the header several times. */
export type HeaderValues = Readonly<Record<string, string | readonly string[]>>;

export type Step =
  /** `close`: neither length nor chunks; the body ends with the connection. */
  | { readonly kind: 'head'; readonly status: number; readonly headers: HeaderValues; readonly framing: 'length' | 'chunked' | 'close' }
  | { readonly kind: 'write'; readonly bytes: Uint8Array; readonly times?: number }
  /** Writes bytes directly to the socket. */
  | { readonly kind: 'raw'; readonly bytes: Uint8Array }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'until'; readonly gate: Promise<unknown> }
  /** Ends the HTTP message correctly. */
  | { readonly kind: 'end' }
  /** Closes the socket: `cut` sends FIN, `reset` sends RST. */
  | { readonly kind: 'cut' }
  | { readonly kind: 'reset' }
  /** Sends nothing and keeps the connection open until the client disconnects. */
  | { readonly kind: 'stall' };

export type Script = readonly Step[];
