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
  const ownResource = resourceFromAttributes({ 'service.name': 'modelgate', 'service.version': version });
  return ownResource.merge(
    detectResources({ detectors: [serviceInstanceIdDetector, resourceAttributesEnvDetector, serviceNameEnvDetector] }),
  );
}

const MAX_REASON_LENGTH = 300;

/** Logs problems of the OpenTelemetry library, such as a collector that doesn't respond. */
export function logLibraryProblems(log: Log): void {
  const warn = (first: unknown): void => log.warn({ reason: getReason(first) }, 'OpenTelemetry reported a problem');
  const ignore = (): void => undefined;
  const logger = { error: warn, warn, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

/** The library logs a full error as JSON, but its message is enough. */
function getReason(first: unknown): string {
  const text = first instanceof Error ? first.message : String(first);
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && 'message' in parsed) return String(parsed.message).slice(0, MAX_REASON_LENGTH);
  } catch {
    // Not JSON: the text itself is the reason.
  }
  return text.slice(0, MAX_REASON_LENGTH);
}
