/** What every method returns: a promise of the answer that can also give its status and headers. */

/** An answer with its status and headers. */
export interface Answered<Data> {
  readonly data: Data;
  /** The answer as fetch gave it, for its status and headers; its body has been read, or is read by the stream. */
  readonly response: Response;
  /** Id of the request (`x-request-id`), for the gateway's operator; null when a proxy answered. */
  readonly requestId: string | null;
}

/** A request that was sent. Await it for the answer. */
export interface Call<Data> extends Promise<Data> {
  /** The answer together with its headers and the id of the request. Rejects as the call itself does. */
  withResponse(): Promise<Answered<Data>>;
}

/** @internal */
export function openCall<Data>(answered: Promise<Answered<Data>>): Call<Data> {
  const data = answered.then((known) => known.data);
  const withResponse = () => {
    // A caller of `withResponse` gets the failure there.
    data.catch(() => {});
    return answered;
  };
  return Object.assign(data, { withResponse });
}
