/** What a webhook gets is signed as Standard Webhooks says. */
import { expect, test } from 'vitest';

import { createSignatureHeaders } from '../../../../server/records/alerts/send-webhook.ts';

test('signs the public test vector of Standard Webhooks as its libraries do', () => {
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at: 1_614_265_330_999, body: '{"test": 2432232314}' };
  expect(createSignatureHeaders(message, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('signs the body as UTF-8', () => {
  const sign = (body: string) => createSignatureHeaders({ id: 'a', at: 0, body }, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  expect(sign('ü')).not.toEqual(sign('u'));
});
