/** Formats prices: per million tokens, per image, or per tool call. */
import type { Prices } from '../../../../../../contract/admin/rules.ts';
import { Money } from '../../../kit/values.tsx';
import { prices as words } from '../../../texts/prices.ts';
import { optionalPrices } from './price-form.ts';

type Rates = NonNullable<Extract<Prices, { input: string }>['long_context']>[string];
type Line = readonly [name: string, dollars: string, isPerMillion: boolean];

function listLines(prices: Exclude<Prices, 'free'>): readonly Line[] {
  if ('images' in prices) return Object.entries(prices.images).map(([name, dollars]) => [name, dollars, false] as const);
  const { tools = {}, long_context: long = {}, service_tiers: _, ...tokens } = prices;
  const longLines = Object.entries(long).flatMap(([above, rates]) =>
    listTokenLines(rates).map(([name, dollars]) => [words.above(name, Number(above)), dollars, true] as const),
  );
  return [...listTokenLines(tokens), ...longLines, ...Object.entries(tools).map(([name, dollars]) => [name, dollars, false] as const)];
}

function listTokenLines(rates: Rates): readonly Line[] {
  const { classes } = words;
  return [
    [classes.input, rates.input, true],
    ...optionalPrices.flatMap((name) => (rates[name] === undefined ? [] : [[classes[name], rates[name], true] as const])),
    [classes.output, rates.output, true],
  ];
}

export function PriceText({ of }: { readonly of: Prices }) {
  if (of === 'free') return <span>{words.free}</span>;
  return (
    <span className="row prices">
      {listLines(of).map(([name, dollars, isPerMillion]) => (
        <span key={name} className="number">
          <Money amount={dollars} />
          {isPerMillion && words.perMillion} <span className="soft">{name}</span>
        </span>
      ))}
      {Object.entries((typeof of === 'object' && 'input' in of && of.service_tiers) || {}).map(([tier, factor]) => (
        <span key={tier} className="number">
          {words.factor(factor)} <span className="soft">{tier}</span>
        </span>
      ))}
    </span>
  );
}
