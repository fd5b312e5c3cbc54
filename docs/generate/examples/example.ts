/** The shape of an example in the documentation, and the text of example streams. */

/** An example value with its title on the page. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

/** The events of a stream, in order. */
export interface StreamExample {
  readonly summary: string;
  readonly events: readonly Readonly<Record<string, unknown>>[];
  /** A stream that was cut doesn't end with `[DONE]`, so that it can't look complete. */
  readonly isCut?: boolean;
}

/** All examples of one operation. */
export interface OperationExamples {
  readonly requests?: Readonly<Record<string, Example>>;
  /** Requests as multipart forms. Files are shown by name. */
  readonly forms?: Readonly<Record<string, Example>>;
  readonly answers: Readonly<Record<string, Example>>;
  readonly streams?: Readonly<Record<string, StreamExample>>;
}

/** Chat chunks have no event name. Other events have their `type` as the name. */
function frame(event: Readonly<Record<string, unknown>>): string {
  const name = typeof event.type === 'string' ? `event: ${event.type}\n` : '';
  return `${name}data: ${JSON.stringify(event)}\n\n`;
}

/** Returns the stream as the caller receives it. `done` is true for protocols that end with `[DONE]`. */
export function transcript({ events, isCut = false }: StreamExample, done: boolean): string {
  return `${events.map(frame).join('')}${done && !isCut ? 'data: [DONE]\n\n' : ''}`;
}
