/** What metering reads from an answer, by the caller's protocol. */
import type { Fields } from '../../contract/rule.ts';
import { callsUnseen } from './asked/billed-extras.ts';
import { ShownChat } from './chat/shown-output.ts';
import { countHostedCalls, type HostedCalls } from './responses/hosted-calls.ts';
import { ShownResponse } from './responses/shown-output.ts';
import type { ShownOutput } from './shown-output.ts';

export type CallerProtocol = 'chat' | 'responses' | 'images';

/** Watches the bytes of a relayed stream; null for images, which are counted one by one. */
export function watchOutput(protocol: CallerProtocol): ShownOutput | null {
  if (protocol === 'images') return null;
  return protocol === 'chat' ? new ShownChat() : new ShownResponse();
}

/** The calls of the upstream's tools in a whole answer. `request`: the body for the upstream. */
export const callsIn = (bytes: Buffer, protocol: CallerProtocol, request: Fields): HostedCalls =>
  protocol === 'responses' ? countHostedCalls(bytes) : callsUnseen(request);
