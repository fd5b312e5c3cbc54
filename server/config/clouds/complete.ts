/** Fills in the address and the credentials of an upstream from its cloud, and names what is wrong with them. */

import { type Addressed, authFaults } from './auth-faults.ts';
import { aws } from './aws.ts';
import { azure } from './azure.ts';
import { google } from './google.ts';
import { type Fault, type HttpSettings, type Place, type Placed, type PlaceName, placeNames } from './place.ts';

const places: Readonly<Record<PlaceName, Place>> = { azure, aws, google };

export interface Settled {
  readonly upstream: Addressed;
  readonly faults: readonly Fault[];
}

/** `hasAddress`: whether the file itself has `baseUrl`, which replaces the address of the cloud. */
export function settleCloud(written: HttpSettings, hasAddress: boolean): Settled {
  const [name, second] = placeNames.filter((place) => written[place] !== undefined);
  const place = name && places[name];
  const baseUrl = (place ? addressAt(place, written, hasAddress) : written.baseUrl) ?? '';
  const auth = written.auth ?? place?.auth(written);
  const upstream: Addressed = { ...written, baseUrl, ...(auth !== undefined && { auth }) };
  const faults = baseUrl === '' ? [noAddress] : [...addressFaults(upstream), ...(auth === undefined ? [] : authFaults(upstream, auth))];
  if (!place) return { upstream, faults };
  if (second !== undefined)
    return { upstream, faults: [{ path: [second], message: `is set beside ${name}`, remedy: 'An upstream has one place: keep one.' }] };
  if (!place.kinds.includes(written.kind)) return { upstream, faults: [wrongKind(name ?? '', place)] };
  const own = place.faults(written);
  return { upstream, faults: own.length > 0 ? own : faults };
}

function addressAt(place: Place, written: HttpSettings, hasAddress: boolean): string | undefined {
  if (!hasAddress) return place.address(written);
  return place.ownAddress ? place.ownAddress(written) : written.baseUrl;
}

/** The address of the list of models; null where its place has none. */
export function modelListOf(upstream: Placed & Pick<Addressed, 'baseUrl'>): string | null {
  const name = placeNames.find((place) => upstream[place] !== undefined);
  const path = name && places[name].models ? places[name].models(upstream) : '/models';
  return path === null ? null : `${upstream.baseUrl}${path}`;
}

/** Whether images and files have to be in the request itself there. */
export function isInlineOnly(upstream: Placed | { readonly kind: 'simulator' }): boolean {
  if (upstream.kind === 'simulator') return false;
  const name = placeNames.find((place) => upstream[place] !== undefined);
  return (name && places[name].inlineOnly?.(upstream)) ?? false;
}

/** What is wrong with a model at the place of its upstream; null where nothing is, and for a simulator. */
export function modelFault(upstream: Placed | { readonly kind: 'simulator' }, upstreamModel: string): Omit<Fault, 'path'> | null {
  if (upstream.kind === 'simulator') return null;
  const name = placeNames.find((place) => upstream[place] !== undefined);
  return (name && places[name].model?.(upstream, upstreamModel)) ?? null;
}

const noAddress: Fault = { path: ['baseUrl'], message: 'is missing', remedy: 'For example baseUrl: http://127.0.0.1:11434/v1' };

const wrongKind = (name: string, { kinds }: Place): Fault => ({
  path: [name],
  message: 'does not go with this kind',
  remedy: `It goes with ${kinds.join(', ')}.`,
});

/** Hosts that hand out credentials of the machine: only the gateway itself asks them. */
const metadata: ReadonlySet<string> = new Set(['169.254.169.254', '169.254.170.2', '169.254.170.23', 'metadata.google.internal']);

function addressFaults({ baseUrl }: Addressed): Fault[] {
  if (!metadata.has(new URL(baseUrl).hostname)) return [];
  return [{ path: ['baseUrl'], message: 'is an address that hands out credentials', remedy: 'Set the address of a model server.' }];
}
