/** The shape of an example in the documentation, and how a stream's events become the text that goes over the wire. */

/** One value to show, with the line that names it on the page. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

/** Events of one stream, in order, as objects. */
export interface StreamExample {
  readonly summary: string;
  readonly events: readonly Readonly<Record<string, unknown>>[];
  /** A stream that was cut has no `[DONE]`: it must not look complete. */
  readonly isCut?: boolean;
}

/** All examples of one operation. */
export interface OperationExamples {
  readonly requests?: Readonly<Record<string, Example>>;
  /** Requests as a multipart form; a file is shown by its name. */
  readonly forms?: Readonly<Record<string, Example>>;
  readonly answers: Readonly<Record<string, Example>>;
  readonly streams?: Readonly<Record<string, StreamExample>>;
}

/** Chat frames carry no event name; elsewhere the name repeats `type`. */
function frame(event: Readonly<Record<string, unknown>>): string {
  const name = typeof event.type === 'string' ? `event: ${event.type}\n` : '';
  return `${name}data: ${JSON.stringify(event)}\n\n`;
}

/** The stream as a caller reads it. `done`: whether the protocol closes with `[DONE]`. */
export function transcript({ events, isCut = false }: StreamExample, done: boolean): string {
  return `${events.map(frame).join('')}${done && !isCut ? 'data: [DONE]\n\n' : ''}`;
}
