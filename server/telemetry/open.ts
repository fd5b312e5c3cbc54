/** Opens telemetry as the configuration and the OTEL_… variables say. If it's off, OpenTelemetry isn't loaded. */
import type { Config } from '../config/config.ts';
import type { MetricsListener } from './listener.ts';
import type { Log } from './log.ts';
import type { PrometheusReader } from './prometheus.ts';
import type { GaugeSources, MetricsAddress, Telemetry } from './telemetry.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface TelemetryOptions {
  readonly config: Pick<Config, 'metrics' | 'traces'>;
  readonly env: Environment;
  readonly log: Log;
  readonly version: string;
  readonly watched: GaugeSources;
}

/** A collector that doesn't respond delays shutdown by at most this time. */
const FINAL_PUSH_TIMEOUT_MS = 1_500;

export async function openTelemetry(options: TelemetryOptions): Promise<Telemetry | null> {
  const { config, env } = options;
  const pushes = { metrics: isPushEnabled(env, 'METRICS'), traces: isPushEnabled(env, 'TRACES') };
  for (const name of findInvalidEndpoints(env)) options.log.error({ variable: name }, INVALID_ENDPOINT_MESSAGE);
  if (!config.metrics.enabled && !pushes.metrics && !pushes.traces) return null;
  const [{ describeProcess, logLibraryProblems: listenToLibrary }, metrics, traces] = await Promise.all([
    import('./library.ts'),
    config.metrics.enabled || pushes.metrics ? import('./metrics.ts') : null,
    pushes.traces ? import('./trace.ts') : null,
  ]);
  listenToLibrary(options.log);
  const resource = describeProcess(options.version);
  const prometheus = config.metrics.enabled ? await openPrometheus() : null;
  const readers = [...(prometheus ? [prometheus] : []), ...(pushes.metrics ? [await openMetricPush(env)] : [])];
  const metricsRecorder = metrics?.openMetrics({ readers, resource, watched: options.watched, countsAccounts: config.metrics.accounts });
  const traceRecorder = traces?.openTraces({ ...(await openSpanPush(options)), resource, toUpstreams: config.traces.toUpstreams });
  let listener: MetricsListener | null = null;
  const listen = async (reader: PrometheusReader, address: MetricsAddress): Promise<string> => {
    const { serveMetrics } = await import('./listener.ts');
    listener = await serveMetrics(() => reader.scrape(), address, options.log);
    options.log.info({ origin: listener.origin }, 'metrics listener started');
    return listener.origin;
  };
  return {
    beginTrace: traceRecorder?.begin ?? null,
    record: (record) => metricsRecorder?.record(record),
    listen: prometheus && ((place) => listen(prometheus, place)),
    scrape: prometheus && (() => prometheus.scrape()),
    async close() {
      await listener?.close();
      const shutdown = Promise.allSettled([metricsRecorder?.close(FINAL_PUSH_TIMEOUT_MS), traceRecorder?.close()]);
      await Promise.race([shutdown, new Promise((resolve) => setTimeout(resolve, FINAL_PUSH_TIMEOUT_MS).unref())]);
    },
  };
}

function isPushEnabled(env: Environment, signal: Signal): boolean {
  const name = findEndpointVariable(env, signal);
  return name !== undefined && isHttpUrl(env[name]);
}

type Signal = 'METRICS' | 'TRACES';
const GENERAL_ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';

/** Returns the variable with the URL, or undefined if nothing is pushed. */
function findEndpointVariable(env: Environment, signal: Signal): string | undefined {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env[`OTEL_${signal}_EXPORTER`] === 'none') return undefined;
  return [`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`, GENERAL_ENDPOINT].find((name) => env[name]);
}

const isHttpUrl = (text = ''): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** Finds invalid URLs, each variable once. Returns names, because a value may contain a password. */
function findInvalidEndpoints(env: Environment): string[] {
  const names = [findEndpointVariable(env, 'METRICS'), findEndpointVariable(env, 'TRACES')];
  return [...new Set(names)].filter((name) => name !== undefined).filter((name) => !isHttpUrl(env[name]));
}

const INVALID_ENDPOINT_MESSAGE = "OTLP export is off: the variable isn't a URL. Include the scheme, such as http://127.0.0.1:4318";

async function openPrometheus(): Promise<PrometheusReader> {
  const prometheus = await import('./prometheus.ts');
  return new prometheus.PrometheusReader();
}

/** The exporter itself reads the URL, headers and certificates from the environment. */
async function openMetricPush(env: Environment) {
  const [{ OTLPMetricExporter }, { PeriodicExportingMetricReader }] = await Promise.all([
    import('@opentelemetry/exporter-metrics-otlp-http'),
    import('@opentelemetry/sdk-metrics'),
  ]);
  const intervalMs = parseMilliseconds(env.OTEL_METRIC_EXPORT_INTERVAL, 60_000);
  return new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis: intervalMs,
    exportTimeoutMillis: Math.min(intervalMs, parseMilliseconds(env.OTEL_METRIC_EXPORT_TIMEOUT, 30_000)),
  });
}

async function openSpanPush({ env, log }: TelemetryOptions) {
  const [{ OTLPTraceExporter }, { readSampler }] = await Promise.all([
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('./samplers.ts'),
  ]);
  const warn = (text: string): void => log.warn(text);
  return {
    exporter: new OTLPTraceExporter(),
    sampler: readSampler(env, warn),
    gatherMs: parseMilliseconds(env.OTEL_BSP_SCHEDULE_DELAY, 5_000),
  };
}

function parseMilliseconds(text: string | undefined, defaultMs: number): number {
  const milliseconds = Number(text);
  return text !== undefined && text !== '' && Number.isInteger(milliseconds) && milliseconds > 0 ? milliseconds : defaultMs;
}
