/** What Prometheus reads. The exporter's own server cannot be told of a port that is taken, so only its way of writing is used. */
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { MetricReader } from '@opentelemetry/sdk-metrics';

export class PrometheusReader extends MetricReader {
  readonly #serializer = new PrometheusSerializer(undefined, false, undefined, false, true);

  async scrape(): Promise<string> {
    const { resourceMetrics } = await this.collect();
    return this.#serializer.serialize(resourceMetrics);
  }

  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}
