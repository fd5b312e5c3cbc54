/** The kinds of providers: their schema, authentication header, and name in telemetry. */
import type { z } from 'zod';
import {
  AnthropicUpstream,
  CompatibleUpstream,
  ConverseUpstream,
  GeminiUpstream,
  OpenaiUpstream,
  SimulatorUpstream,
} from './schema-upstreams.ts';

interface Provider {
  readonly schema: z.ZodObject;
  /** Returns the headers that authenticate with a key. Null for the simulator, which isn't called over HTTP. */
  readonly keyHeaders: ((key: string) => Readonly<Record<string, string>>) | null;
  /** Other headers of requests with a credential, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** `gen_ai.provider.name` in metrics and traces. OpenTelemetry's name if it defines one. */
  readonly telemetryName: string;
}

export const toBearerHeader = (key: string) => ({ authorization: `Bearer ${key}` });

export const providers = {
  openai: { schema: OpenaiUpstream, keyHeaders: toBearerHeader, headers: {}, telemetryName: 'openai' },
  'openai-compatible': { schema: CompatibleUpstream, keyHeaders: toBearerHeader, headers: {}, telemetryName: 'openai-compatible' },
  anthropic: {
    schema: AnthropicUpstream,
    keyHeaders: (key: string) => ({ 'x-api-key': key }),
    headers: { 'anthropic-version': '2023-06-01' },
    telemetryName: 'anthropic',
  },
  gemini: { schema: GeminiUpstream, keyHeaders: (key: string) => ({ 'x-goog-api-key': key }), headers: {}, telemetryName: 'gcp.gemini' },
  converse: { schema: ConverseUpstream, keyHeaders: toBearerHeader, headers: {}, telemetryName: 'aws.bedrock' },
  simulator: { schema: SimulatorUpstream, keyHeaders: null, headers: {}, telemetryName: 'modelgate.simulator' },
} as const satisfies Readonly<Record<string, Provider>>;

type Kind = keyof typeof providers;

/** Returns an upstream's provider name in telemetry: its cloud's, otherwise its kind's. */
export function getTelemetryName({
  kind,
  azure,
  aws,
  google,
}: { readonly kind: Kind } & Readonly<Partial<Record<'azure' | 'aws' | 'google', object | undefined>>>): string {
  if (azure) return kind === 'anthropic' ? 'azure.ai.inference' : 'azure.ai.openai';
  if (aws) return 'aws.bedrock';
  return google ? 'gcp.vertex_ai' : providers[kind].telemetryName;
}
