/** Finds the service tier that a request asks for, which sets its price. */
import type { Fields } from '../primitives/fields.ts';

/** `service_tier` values that mean the provider's default. */
const defaultTiers: readonly unknown[] = [undefined, null, 'auto', 'default'];

export interface RequestedTier {
  readonly name: string;
  readonly path: string;
}

/** The service tier of a request. Null for the provider's default and for tiers at the model's normal price. */
export const findServiceTier = ({ service_tier: tier }: Fields, includedTiers: readonly unknown[] = []): RequestedTier | null =>
  defaultTiers.includes(tier) || includedTiers.includes(tier) ? null : { name: String(tier), path: 'service_tier' };

export const DEFAULT_SERVICE_TIER = 'default';
