/** Parts of OpenTelemetry that metrics and traces share: the resource of this process, and the log of the library's own errors. */
import { DiagLogLevel, diag } from '@opentelemetry/api';
import {
  detectResources,
  type Resource,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import type { Log } from './log.ts';

/** OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence. */
export function describeProcess(version: string): Resource {
  const own = resourceFromAttributes({ 'service.name': 'modelgate', 'service.version': version });
  return own.merge(detectResources({ detectors: [serviceInstanceIdDetector, resourceAttributesEnvDetector, serviceNameEnvDetector] }));
}

const MAX_TEXT = 300;

/** Logs problems of the OpenTelemetry library, such as a collector that doesn't respond. */
export function listenToLibrary(log: Log): void {
  const warn = (first: unknown): void => log.warn({ reason: reasonIn(first) }, 'OpenTelemetry reported a problem');
  const silent = (): void => undefined;
  const logger = { error: warn, warn, info: silent, debug: silent, verbose: silent };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

/** The library writes a whole error as JSON; its message is enough. */
function reasonIn(first: unknown): string {
  const text = first instanceof Error ? first.message : String(first);
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read === 'object' && read !== null && 'message' in read) return String(read.message).slice(0, MAX_TEXT);
  } catch {
    // Not JSON: the text itself is the reason.
  }
  return text.slice(0, MAX_TEXT);
}
