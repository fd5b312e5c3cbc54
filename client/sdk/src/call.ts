/** The return type of every method: a promise of the response body that can also give its status and headers. */

/** A response body with its status and headers. */
export interface Answered<Data> {
  readonly data: Data;
  /** The response from fetch, for its status and headers. Don't read its body: the client or the stream does. */
  readonly response: Response;
  /** Request ID (`x-request-id`), for the gateway's operator; null if a proxy responded. */
  readonly requestId: string | null;
}

/** A request that was sent. Await it to get the response body. */
export interface Call<Data> extends Promise<Data> {
  /** The response body with its headers and the request ID. Rejects like the call itself. */
  withResponse(): Promise<Answered<Data>>;
}

/** @internal */
export function openCall<Data>(answered: Promise<Answered<Data>>): Call<Data> {
  const data = answered.then((known) => known.data);
  const withResponse = () => {
    // The caller of `withResponse` handles the rejection, so `data` must not report it as unhandled.
    data.catch(() => {});
    return answered;
  };
  return Object.assign(data, { withResponse });
}
