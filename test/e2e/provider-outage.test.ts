/** A provider's outage is reported as the provider's: to callers under one code, and to operators in its own words. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failure } from '../fakes/faults.ts';
import { modelgate } from '../harness/command-line.ts';
import { useOpened } from '../harness/opened.ts';
import { chat } from '../harness/protocols.ts';
import { expectRefusal } from '../harness/refusal.ts';
import { openBehindVendor } from '../harness/vendor.ts';

const vendor = useOpened(() => openBehindVendor());

test('shows the code of a provider without capacity in the log, its words in the record, and neither to the caller', async () => {
  const words = 'No healthy replicas. See incident NB-4417.';
  vendor.fake.next(failure(503, { message: words, type: 'server_error', code: 'no_capacity' }));
  const answer = await vendor.post(chat.path, JSON.stringify(chat.ask));
  const id = String(answer.headers.get('x-request-id'));
  const { error } = await expectRefusal(answer, { code: 'upstream_unavailable' });
  expect(error.message).not.toContain('NB-4417');
  expect((await vendor.gateway.lineOf(id)).upstreamError).toMatch(/ 503 no_capacity$/);
  await vendor.gateway.gateway.activity.flush();
  const { folder } = vendor.gateway;
  for (const command of [
    ['explain', '--request', id],
    ['usage', 'show', id],
  ]) {
    const { code, stdout } = await modelgate([...command, '--config', join(folder, 'modelgate.yaml')], { folder });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^Provider: +\S+: no_capacity: No healthy replicas\. See/m),
    });
  }
});
