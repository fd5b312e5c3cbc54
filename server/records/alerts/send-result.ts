/** The result of sending one message to a channel, and what a sender gets. */

export interface SendResult {
  readonly isDelivered: boolean;
  /** The HTTP status or SMTP reply code. Null if no response arrived. */
  readonly status: number | null;
  /** Why the message wasn't delivered, or not to everyone. Never contains the URL of a webhook. */
  readonly failure: string | null;
  /** The SMTP reply, or the start of an HTTP response's body if it was read. */
  readonly response: string | null;
}

export interface Message {
  /** Stays the same across attempts, so that receivers can deduplicate. */
  readonly id: string;
  /** The time of this attempt, in milliseconds since 1970. */
  readonly at: number;
  readonly body: string;
}

export interface SendOptions {
  /** Aborts an attempt in flight. */
  readonly signal?: AbortSignal;
  readonly maxMs?: number;
  /** Whether to read the start of a webhook's response. */
  readonly readsResponse?: boolean;
}

const MAX_SHOWN_LENGTH = 500;

/** Cuts a receiver's text, and removes control characters, which could change a terminal. */
export const toShownText = (text: string): string =>
  text
    .slice(0, MAX_SHOWN_LENGTH)
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
