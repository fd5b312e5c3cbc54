/** A model in the catalog: capabilities, prices, and links to copy its ID, share it, and open it in the playground. */
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useRouter } from 'wouter';
import { ButtonLink } from '../../../kit/button.tsx';
import { Copy } from '../../../kit/copy.tsx';
import { Count, Money, State } from '../../../kit/values.tsx';
import { kit } from '../../../texts/kit.ts';
import { catalog as words } from '../../../texts/portal-catalog.ts';
import { type Entry, formatAbilities, getPrice, measureNames, priceNames } from './entries.ts';
import { Measure } from './measure.tsx';

export interface CardProps {
  readonly entry: Entry;
  /** Formatted prices, in the order of `priceNames`. */
  readonly prices: readonly string[];
  /** The group in the URL. Empty without one. */
  readonly group: string;
  /** Whether the URL refers to this model. */
  readonly isCurrent: boolean;
  readonly isCompared: boolean;
  /** Undefined if the comparison is full. */
  readonly onCompare: ((isCompared: boolean) => void) | undefined;
}

export function ModelCard({ entry, prices, group, isCurrent, isCompared, onCompare }: CardProps) {
  const { id, kind, context, can, callable, reason, failing } = entry;
  const ref = useRef<HTMLLIElement>(null);
  const { base } = useRouter();
  useEffect(() => {
    if (isCurrent) ref.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  const address = `/models?${new URLSearchParams({ ...(group !== '' && { group }), model: id })}`;
  return (
    <li ref={ref} className="card model" aria-current={isCurrent || undefined}>
      <div className="model-head">
        <h2>
          <Link href={address}>{id}</Link>
        </h2>
        <Copy text={id} what={words.copyNames.id(id)} />
        <Copy text={`${location.origin}${base}${address}`} what={words.copyNames.link(id)} icon="link" />
        {callable && failing && <State tone="bad">{kit.failingNow}</State>}
        {callable && <ButtonLink href={getPlaygroundPath(entry)}>{words.tryIt}</ButtonLink>}
      </div>
      <div className="row model-facts">
        <span>{words.kinds[kind]}</span>
        {context !== null && (
          <span>
            <Count of={context} /> {words.context}
          </span>
        )}
        {can.length > 0 && <span>{formatAbilities(entry)}</span>}
        <label className="row model-compare">
          <input
            type="checkbox"
            aria-label={words.compareNamed(id)}
            checked={isCompared}
            disabled={onCompare === undefined}
            onChange={({ target }) => onCompare?.(target.checked)}
          />
          {words.compare}
        </label>
      </div>
      {!callable && <State tone="bad">{reason ?? words.unavailable}</State>}
      <Prices of={entry} texts={prices} />
    </li>
  );
}

/** Links to the sign-in if needed, and from there to the playground. */
const getPlaygroundPath = ({ id, kind }: Entry): string =>
  `/playground?${new URLSearchParams({ ...(kind === 'image' && { tab: 'images' }), model: id })}`;

function Prices({ of, texts }: { readonly of: Entry; readonly texts: readonly string[] }) {
  const { prices } = of;
  if (prices === null) return <p className="soft">{words.noPrice}</p>;
  if (prices === 'free') return <p>{words.free}</p>;
  if ('images' in prices)
    return (
      <dl className="model-prices">
        <Price name={words.prices.image}>
          {Object.keys(prices.images).length > 1 && <span className="soft">{words.from} </span>}
          <Money amount={getPrice(of, 'output')} />
        </Price>
      </dl>
    );
  return (
    <div className="model-prices">
      <dl>
        {priceNames.map((name, line) => (
          <Price key={name} name={words.prices[name]}>
            {texts[line]}
          </Price>
        ))}
      </dl>
      {of.measures && (
        <dl>
          {measureNames.map((name) => (
            <Price key={name} name={words.measures[name]}>
              <Measure of={of} name={name} />
            </Price>
          ))}
        </dl>
      )}
      {Object.keys(prices.long_context ?? {}).map((above) => (
        <p key={above} className="soft small">
          {words.longContext(Number(above))}
        </p>
      ))}
    </div>
  );
}

const Price = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt className="soft small">{name}</dt>
    <dd>{children}</dd>
  </div>
);
