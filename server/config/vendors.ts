/** One row for each kind of upstream: its configuration, how it wants its key, its name in telemetry. The dialects have the rows of the protocols. */
import { z } from 'zod';
import {
  AnthropicUpstream,
  CompatibleUpstream,
  ConverseUpstream,
  GeminiUpstream,
  OpenaiUpstream,
  SimulatorUpstream,
} from './upstream-schema.ts';

interface Vendor {
  readonly schema: z.ZodObject;
  /** The headers of a request with this key; null for an upstream inside the process, which is not reached over HTTP. */
  readonly keyHeaders: ((key: string) => Readonly<Record<string, string>>) | null;
  /** The other headers that go with a credential, in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  /** `gen_ai.provider.name` of metrics and traces, in the words of OpenTelemetry where it has one. */
  readonly telemetryName: string;
}

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

export const vendors = {
  openai: { schema: OpenaiUpstream, keyHeaders: bearer, headers: {}, telemetryName: 'openai' },
  'openai-compatible': { schema: CompatibleUpstream, keyHeaders: bearer, headers: {}, telemetryName: 'openai-compatible' },
  anthropic: {
    schema: AnthropicUpstream,
    keyHeaders: (key: string) => ({ 'x-api-key': key }),
    headers: { 'anthropic-version': '2023-06-01' },
    telemetryName: 'anthropic',
  },
  gemini: { schema: GeminiUpstream, keyHeaders: (key: string) => ({ 'x-goog-api-key': key }), headers: {}, telemetryName: 'gcp.gemini' },
  converse: { schema: ConverseUpstream, keyHeaders: bearer, headers: {}, telemetryName: 'aws.bedrock' },
  simulator: { schema: SimulatorUpstream, keyHeaders: null, headers: {}, telemetryName: 'modelgate.simulator' },
} as const satisfies Readonly<Record<string, Vendor>>;

type Kind = keyof typeof vendors;

/** An upstream of the configuration, of any kind. */
export const Upstream = z.discriminatedUnion('kind', [
  vendors.openai.schema,
  vendors['openai-compatible'].schema,
  vendors.anthropic.schema,
  vendors.gemini.schema,
  vendors.converse.schema,
  vendors.simulator.schema,
]);

/** The name of an upstream's vendor in telemetry: that of its cloud, or that of its kind. */
export function telemetryNameOf({ kind, azure, aws, google }: Served): string {
  if (azure) return kind === 'anthropic' ? 'azure.ai.inference' : 'azure.ai.openai';
  if (aws) return 'aws.bedrock';
  return google ? 'gcp.vertex_ai' : vendors[kind].telemetryName;
}

interface Served {
  readonly kind: Kind;
  readonly azure?: object | undefined;
  readonly aws?: object | undefined;
  readonly google?: object | undefined;
}
