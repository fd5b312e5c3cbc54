/** Provider cost and margin of a model, based on the calls with a known cost. */
import type { ConfiguredModel } from '../../../../../../contract/admin/models.ts';
import { Money } from '../../../kit/values.tsx';
import { prices } from '../../../texts/prices.ts';
import { type FactLine, Facts } from '../../parts/facts.tsx';
import { PriceText } from './price-text.tsx';

const words = prices.provider;

interface ModelCostProps {
  /** Undefined while loading, or if the model is no longer configured. */
  readonly model: ConfiguredModel | undefined;
}

const ProviderCost = ({ model }: ModelCostProps) => <Money amount={model?.provider_30d.cost ?? null} isRounded />;
const Margin = ({ model }: ModelCostProps) => <Money amount={model?.provider_30d.margin ?? null} isRounded />;

export function ProviderSection({ model }: { readonly model: ConfiguredModel }) {
  const { candidates, provider_30d, requests_30d } = model;
  const { requests } = provider_30d;
  return (
    <>
      <h3>{words.title}</h3>
      <Facts
        lines={[
          ...candidates.map(({ upstream, cost }, index): FactLine => {
            const key = `${index} ${upstream}`;
            return [
              candidates.length > 1 ? `${index + 1}. ${upstream}` : upstream,
              cost === null ? (
                <span key={key} className="soft">
                  {words.unknown}
                </span>
              ) : (
                <PriceText key={key} of={cost} />
              ),
            ];
          }),
          [words.cost, <ProviderCost key="cost" model={model} />],
          [words.margin, <Margin key="margin" model={model} />],
        ]}
      />
      <p className="soft small">
        {requests === 0 ? words.noneKnown : words.basis(requests.toLocaleString(), requests_30d.toLocaleString())}
      </p>
    </>
  );
}
