/** Opens telemetry as the configuration and the OTEL_… variables say. When it is off, OpenTelemetry is not loaded. */
import type { Config } from '../config/config.ts';
import type { MetricsListener } from './listener.ts';
import type { Log, MetricsAddress, Telemetry, Watched } from './log.ts';
import type { PrometheusReader } from './prometheus.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface TelemetryParts {
  readonly config: Pick<Config, 'metrics' | 'traces'>;
  readonly env: Environment;
  readonly log: Log;
  readonly version: string;
  readonly watched: Watched;
}

/** A collector that does not answer delays the stop by at most this. */
const LAST_PUSH_MS = 1_500;

export async function openTelemetry(parts: TelemetryParts): Promise<Telemetry | null> {
  const { config, env } = parts;
  const wants = { metrics: isPushed(env, 'METRICS'), traces: isPushed(env, 'TRACES') };
  for (const name of wrongEndpoints(env)) parts.log.error({ variable: name }, WRONG_ENDPOINT);
  if (!config.metrics.enabled && !wants.metrics && !wants.traces) return null;
  const [{ describeProcess, listenToLibrary }, metrics, traces] = await Promise.all([
    import('./library.ts'),
    config.metrics.enabled || wants.metrics ? import('./metrics.ts') : null,
    wants.traces ? import('./trace.ts') : null,
  ]);
  listenToLibrary(parts.log);
  const resource = describeProcess(parts.version);
  const prometheus = config.metrics.enabled ? await openPrometheus() : null;
  const readers = [...(prometheus ? [prometheus] : []), ...(wants.metrics ? [await openPush(env)] : [])];
  const measuring = metrics?.openMetrics({ readers, resource, watched: parts.watched, countsAccounts: config.metrics.accounts });
  const tracing = traces?.openTraces({ ...(await openSpanPush(parts)), resource, toUpstreams: config.traces.toUpstreams });
  let listener: MetricsListener | null = null;
  const listen = async (from: PrometheusReader, place: MetricsAddress): Promise<string> => {
    const { serveMetrics } = await import('./listener.ts');
    listener = await serveMetrics(() => from.scrape(), place, parts.log);
    parts.log.info({ origin: listener.origin }, 'metrics listener started');
    return listener.origin;
  };
  return {
    beginTrace: tracing?.begin ?? null,
    record: (record) => measuring?.record(record),
    listen: prometheus && ((place) => listen(prometheus, place)),
    scrape: prometheus && (() => prometheus.scrape()),
    async close() {
      await listener?.close();
      const closing = Promise.allSettled([measuring?.close(LAST_PUSH_MS), tracing?.close()]);
      await Promise.race([closing, new Promise((resolve) => setTimeout(resolve, LAST_PUSH_MS).unref())]);
    },
  };
}

function isPushed(env: Environment, signal: Signal): boolean {
  const name = endpointOf(env, signal);
  return name !== undefined && isAddress(env[name]);
}

type Signal = 'METRICS' | 'TRACES';
const GENERAL = 'OTEL_EXPORTER_OTLP_ENDPOINT';

/** The variable with the address; undefined when nothing is pushed. */
function endpointOf(env: Environment, signal: Signal): string | undefined {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env[`OTEL_${signal}_EXPORTER`] === 'none') return undefined;
  return [`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`, GENERAL].find((name) => env[name]);
}

const isAddress = (text = ''): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** Warns once for each variable, without its value, which may contain a password. */
function wrongEndpoints(env: Environment): string[] {
  const names = [endpointOf(env, 'METRICS'), endpointOf(env, 'TRACES')];
  return [...new Set(names)].filter((name) => name !== undefined).filter((name) => !isAddress(env[name]));
}

const WRONG_ENDPOINT = "nothing is pushed: the variable isn't a URL. Include the scheme, such as http://127.0.0.1:4318";

async function openPrometheus(): Promise<PrometheusReader> {
  const prometheus = await import('./prometheus.ts');
  return new prometheus.PrometheusReader();
}

/** The exporter reads address, headers and certificates from the environment itself. */
async function openPush(env: Environment) {
  const [{ OTLPMetricExporter }, { PeriodicExportingMetricReader }] = await Promise.all([
    import('@opentelemetry/exporter-metrics-otlp-http'),
    import('@opentelemetry/sdk-metrics'),
  ]);
  const every = milliseconds(env.OTEL_METRIC_EXPORT_INTERVAL, 60_000);
  return new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis: every,
    exportTimeoutMillis: Math.min(every, milliseconds(env.OTEL_METRIC_EXPORT_TIMEOUT, 30_000)),
  });
}

async function openSpanPush({ env, log }: TelemetryParts) {
  const [{ OTLPTraceExporter }, { readSampler }] = await Promise.all([
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('./samplers.ts'),
  ]);
  const warn = (text: string): void => log.warn(text);
  return {
    exporter: new OTLPTraceExporter(),
    sampler: readSampler(env, warn),
    gatherMs: milliseconds(env.OTEL_BSP_SCHEDULE_DELAY, 5_000),
  };
}

function milliseconds(text: string | undefined, standard: number): number {
  const read = Number(text);
  return text !== undefined && text !== '' && Number.isInteger(read) && read > 0 ? read : standard;
}
