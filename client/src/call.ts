/** What every method returns: a promise of the answer that can also give the head of the answer. */

/** An answer with its head. */
export interface Answered<Data> {
  readonly data: Data;
  /** The answer as fetch gave it, for its status and headers; its body has been read, or is read by the stream. */
  readonly response: Response;
  /** Id of the request (`x-request-id`), to be given to the gateway's operator; null where a proxy answered. */
  readonly requestId: string | null;
}

/** A request that was sent. Awaited, it gives the answer. */
export interface Call<Data> extends Promise<Data> {
  /** The answer together with its headers and the id of the request. Rejects as the call itself does. */
  withResponse(): Promise<Answered<Data>>;
}

/** @internal */
export function openCall<Data>(answered: Promise<Answered<Data>>): Call<Data> {
  const data = answered.then((known) => known.data);
  const withResponse = () => {
    // Whoever asks for the head gets the failure there.
    data.catch(() => {});
    return answered;
  };
  return Object.assign(data, { withResponse });
}
