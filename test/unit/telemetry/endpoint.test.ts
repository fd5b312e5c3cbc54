/** The OTLP endpoint from the environment: a bad one is logged once at the start. */
import { expect, onTestFinished, test } from 'vitest';
import { openLog } from '../../../server/telemetry/log.ts';
import { openTelemetry } from '../../../server/telemetry/open.ts';

const endpoint = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const watched = {
  streamsOpen: () => 0,
  webSocketsOpen: () => 0,
  holdsOpen: () => null,
  outboxWaiting: () => null,
  isLimitShared: () => null,
  breakers: () => [],
};

async function start(env: Record<string, string>) {
  const lines: Record<string, unknown>[] = [];
  const log = openLog({ log: { level: 'info' } }, { write: (line) => void lines.push(JSON.parse(line)) });
  const config = { metrics: { enabled: false, host: '127.0.0.1', port: 0, accounts: false }, traces: { toUpstreams: false } };
  const telemetry = await openTelemetry({ config, env, log, version: '0', watched });
  onTestFinished(async () => telemetry?.close());
  return { telemetry, lines };
}

test.each(['collector:4318', '127.0.0.1:4318', 'ftp://collector', '/v1'])('rejects the endpoint %s with one log line', async (text) => {
  const { telemetry, lines } = await start({ [endpoint]: text });
  expect(telemetry).toBeNull();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ level: 'error', variable: endpoint, msg: expect.stringContaining('such as http://127.0.0.1:4318') });
});

test('names a bad endpoint for traces without its password, and pushes metrics', async () => {
  const wrong = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';
  const { telemetry, lines } = await start({ [endpoint]: 'http://127.0.0.1:1', [wrong]: 'me:hidden-word@collector:4318' });
  expect(lines.map(({ variable }) => variable)).toEqual([wrong]);
  expect(JSON.stringify(lines)).not.toContain('hidden-word');
  expect(telemetry?.beginTrace).toBeNull();
});

test("doesn't check the endpoint if its exporters are off", async () => {
  const off: Record<string, string>[] = [{ OTEL_SDK_DISABLED: 'true' }, { OTEL_METRICS_EXPORTER: 'none', OTEL_TRACES_EXPORTER: 'none' }];
  for (const env of off) expect((await start({ [endpoint]: 'collector:4318', ...env })).lines).toEqual([]);
});
