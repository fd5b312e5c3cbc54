/** Removes offered web searches that have no price, and names them in `x-modelgate-ignored`: agents offer them in every request. */
import { findPrice } from '../billing/hold.ts';
import type { Candidate } from '../config/catalog.ts';
import { spareTools, withoutTools } from '../dialects/responses/spare-tools.ts';
import { fitForHeader } from '../dialects/turn/dropped-fields.ts';
import type { Gateway } from '../gateway.ts';
import { unpricedOf } from '../ledger/charge.ts';
import type { RequestContext } from './context.ts';
import type { Transcoder } from './transcoder.ts';

/** Any other tool without a price is refused when the money is held: a model can do without an offered search, but not without a tool that it was told to use. */
export async function withoutUnpriced(
  { money }: Gateway,
  { principal }: RequestContext,
  model: Candidate,
  transcoder: Transcoder,
): Promise<Transcoder> {
  const { body } = transcoder;
  if (!money || !principal || body.kind === 'form') return transcoder;
  const offered = spareTools(body.value);
  if (offered.length === 0) return transcoder;
  const price = await findPrice(money, principal.accountId, model.id);
  const unpriced = price ? offered.filter(({ call, path }) => unpricedOf(price.prices, [{ kind: 'tool', name: call, path }])) : [];
  if (unpriced.length === 0) return transcoder;
  const paths = unpriced.map(({ path }) => path);
  const left = withoutTools(body, paths);
  return left === null ? transcoder : { ...transcoder, body: left, ignored: [...transcoder.ignored, ...fitForHeader(paths)] };
}
