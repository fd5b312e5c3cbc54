/** A price as one line for people. */
import type { Prices } from '../../contract/admin/rules.ts';

/** Per million tokens, per image, or per call of a tool. */
export function priceText(prices: Prices): string {
  if (prices === 'free') return 'free';
  const { tools = {}, ...tokens } = 'images' in prices ? prices.images : prices;
  const rates = Object.entries({ ...tokens, ...(typeof tools === 'object' && tools) });
  return rates.map(([name, rate]) => `${name} ${rate}`).join(', ');
}
