/** Prices as text: per million tokens, of an image, or of a tool call. */
import type { Prices } from '../../../../../../contract/admin/rules.ts';
import { Money } from '../../../kit/values.tsx';
import { prices as words } from '../../../texts/prices.ts';
import { cachePrices } from './price-form.ts';

type Line = readonly [name: string, dollars: string, isPerMillion: boolean];

function linesOf(prices: Exclude<Prices, 'free'>): readonly Line[] {
  if ('images' in prices) return Object.entries(prices.images).map(([name, dollars]) => [name, dollars, false] as const);
  const { tools = {}, ...tokens } = prices;
  const { classes } = words;
  return [
    [classes.input, tokens.input, true],
    ...cachePrices.flatMap((name) => (tokens[name] === undefined ? [] : [[classes[name], tokens[name], true] as const])),
    [classes.output, tokens.output, true],
    ...Object.entries(tools).map(([name, dollars]) => [name, dollars, false] as const),
  ];
}

export function PriceText({ of }: { readonly of: Prices }) {
  if (of === 'free') return <span>{words.free}</span>;
  return (
    <span className="row prices">
      {linesOf(of).map(([name, dollars, isPerMillion]) => (
        <span key={name} className="number">
          <Money amount={dollars} />
          {isPerMillion && words.perMillion} <span className="soft">{name}</span>
        </span>
      ))}
    </span>
  );
}
