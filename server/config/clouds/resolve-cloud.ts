/** Fills in the base URL and the credentials of an upstream from its cloud, and finds mistakes in them. */

import { findAuthFaults } from './auth-faults.ts';
import { aws } from './aws.ts';
import { azure } from './azure.ts';
import {
  type Cloud,
  type CloudName,
  type CloudSettings,
  cloudNames,
  type Fault,
  type HttpSettings,
  type ResolvedHttpSettings,
} from './cloud.ts';
import { google } from './google.ts';

const clouds: Readonly<Record<CloudName, Cloud>> = { azure, aws, google };

/** `hasAddress` says whether the file itself sets `baseUrl`, which overrides the URL of the cloud. */
export function resolveCloud(settings: HttpSettings, hasAddress: boolean): { upstream: ResolvedHttpSettings; faults: readonly Fault[] } {
  const [name, second] = cloudNames.filter((place) => settings[place] !== undefined);
  const cloud = name && clouds[name];
  const baseUrl = (cloud ? chooseBaseUrl(cloud, settings, hasAddress) : settings.baseUrl) ?? '';
  const auth = settings.auth ?? cloud?.auth(settings);
  const upstream: ResolvedHttpSettings = { ...settings, baseUrl, ...(auth !== undefined && { auth }) };
  const faults =
    baseUrl === ''
      ? [missingAddressFault]
      : [...findAddressFaults(upstream), ...(auth === undefined ? [] : findAuthFaults(upstream, auth))];
  if (!cloud) return { upstream, faults };
  if (second !== undefined)
    return {
      upstream,
      faults: [
        { path: [second], message: `can't be combined with ${name}`, remedy: 'Remove one of them: an upstream belongs to one cloud.' },
      ],
    };
  if (!cloud.kinds.includes(settings.kind)) return { upstream, faults: [toKindFault(name ?? '', cloud)] };
  const cloudFaults = cloud.faults(settings);
  return { upstream, faults: cloudFaults.length > 0 ? cloudFaults : faults };
}

function chooseBaseUrl(cloud: Cloud, settings: HttpSettings, hasAddress: boolean): string | undefined {
  if (!hasAddress) return cloud.address(settings);
  return cloud.ownAddress ? cloud.ownAddress(settings) : settings.baseUrl;
}

function findCloud(upstream: CloudSettings): Cloud | undefined {
  const name = cloudNames.find((place) => upstream[place] !== undefined);
  return name && clouds[name];
}

/** Returns the URL of the model list, or null if the cloud has none. */
export function getModelListUrl(upstream: CloudSettings & Pick<ResolvedHttpSettings, 'baseUrl'>): string | null {
  const cloud = findCloud(upstream);
  const path = cloud?.models ? cloud.models(upstream) : '/models';
  return path === null ? null : `${upstream.baseUrl}${path}`;
}

/** Whether images and files must be inline in the request. */
export const isInlineOnly = (upstream: CloudSettings | { readonly kind: 'simulator' }): boolean =>
  upstream.kind !== 'simulator' && (findCloud(upstream)?.inlineOnly?.(upstream) ?? false);

/** Returns why the upstream's cloud can't serve the model, or null if it can. Simulators can serve every model. */
export const findModelFault = (
  upstream: CloudSettings | { readonly kind: 'simulator' },
  upstreamModel: string,
): Omit<Fault, 'path'> | null => (upstream.kind === 'simulator' ? null : (findCloud(upstream)?.model?.(upstream, upstreamModel) ?? null));

const missingAddressFault: Fault = { path: ['baseUrl'], message: 'is missing', remedy: 'For example baseUrl: http://127.0.0.1:11434/v1' };

const toKindFault = (name: string, { kinds }: Cloud): Fault => ({
  path: [name],
  message: "isn't supported for this kind",
  remedy: `Supported kinds: ${kinds.join(', ')}.`,
});

/** Hosts that return credentials of the machine, so callers must never reach them. */
const metadataHosts: ReadonlySet<string> = new Set(['169.254.169.254', '169.254.170.2', '169.254.170.23', 'metadata.google.internal']);

function findAddressFaults({ baseUrl }: ResolvedHttpSettings): Fault[] {
  if (!metadataHosts.has(new URL(baseUrl).hostname)) return [];
  return [
    {
      path: ['baseUrl'],
      message: 'is a metadata server, which returns credentials of the machine',
      remedy: 'Set the URL of a model server.',
    },
  ];
}
