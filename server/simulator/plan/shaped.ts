/** Scenarios that change the content of the answer, by rewriting the request. */
import { GatewayError } from '../../errors.ts';
import type { AskedScenario } from '../asked-scenario.ts';
import type { Ask } from './ask.ts';

const LONG_WORDS = 2_000;

export function shapeAsk(ask: Ask, asked: AskedScenario | null): Ask {
  switch (asked?.scenario.kind) {
    case 'tools':
      return withCall(ask, asked);
    case 'refusal':
      return { ...ask, prompt: 'please refuse' };
    case 'long':
      return { ...ask, prompt: `write ${LONG_WORDS} words` };
    default:
      return ask;
  }
}

/** The phrase says nothing about the arguments; what stands behind it may. */
function withCall(ask: Ask, { rest, param }: AskedScenario): Ask {
  if (ask.choice.mode === 'none' || ask.tools.length === 0) throw noTools();
  return { ...ask, prompt: param === null ? ask.prompt : rest, choice: { ...ask.choice, mode: 'required' } };
}

const noTools = () =>
  new GatewayError('invalid_value', {
    message: "The scenario 'tools' calls a function or custom tool, and this request offers none that may be called.",
    param: 'tools',
  });
