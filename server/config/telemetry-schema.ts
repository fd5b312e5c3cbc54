/** Metrics and traces in the configuration; the standard OTEL_… variables set where they are pushed to. */
import { z } from 'zod';
import { whole } from './bounds.ts';

export const Metrics = z
  .strictObject({
    enabled: z
      .boolean()
      .optional()
      .meta({
        description:
          'Whether `GET /metrics` is served, for Prometheus, on a separate listener. Left out: yes where `host` or `port` of the metrics is set, otherwise no.',
        examples: [true],
      }),
    host: z
      .string()
      .min(1)
      .max(255)
      .default('127.0.0.1')
      .meta({
        description: 'Address of the metrics listener. It needs no key: keep it on loopback or on a private network.',
        examples: ['127.0.0.1'],
      }),
    port: whole({ from: 0, to: 65_535, standard: 9464 }, 'Port of the metrics; 0 takes any free one.'),
    accounts: z
      .boolean()
      .default(false)
      .meta({
        description: 'Whether `modelgate.account.cost` counts charges by the id of the account, also where metrics are pushed.',
        examples: [true],
      }),
  })
  .prefault({})
  .meta({ description: 'Metrics for Prometheus. OTEL_EXPORTER_OTLP_ENDPOINT pushes the same ones, with or without this.' });

export const Traces = z
  .strictObject({
    toUpstreams: z
      .boolean()
      .default(false)
      .meta({
        description: 'Whether upstreams get a `traceparent`, with which their operators can link their traces to yours.',
        examples: [true],
      }),
  })
  .prefault({})
  .meta({ description: 'Traces; OTEL_EXPORTER_OTLP_ENDPOINT turns them on.' });
