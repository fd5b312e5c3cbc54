/** Chooses the traced requests, as configured in OTEL_TRACES_SAMPLER. The library itself doesn't read this variable. */
import { AlwaysOffSampler, AlwaysOnSampler, ParentBasedSampler, type Sampler, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_SAMPLER = 'parentbased_always_on';

const samplers: Readonly<Record<string, (ratio: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
};

/** Calls `warn` for an invalid value and uses the default instead. */
export function readSampler(env: Environment, warn: (text: string) => void): Sampler {
  const name = env.OTEL_TRACES_SAMPLER || DEFAULT_SAMPLER;
  const createSampler = samplers[name];
  if (!createSampler) warn(`OTEL_TRACES_SAMPLER must be one of ${Object.keys(samplers).join(', ')}; using ${DEFAULT_SAMPLER}`);
  return (createSampler ?? samplers[DEFAULT_SAMPLER] ?? (() => new AlwaysOnSampler()))(readRatio(env.OTEL_TRACES_SAMPLER_ARG, warn));
}

function readRatio(text: string | undefined, warn: (text: string) => void): number {
  if (text === undefined || text === '') return 1;
  const ratio = Number(text);
  if (ratio >= 0 && ratio <= 1) return ratio;
  warn('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1; using 1');
  return 1;
}
