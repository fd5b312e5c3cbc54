/** The treatment of each request field, by model: forwarded, translated, dropped, or rejected. */
import { z } from 'zod';
import { Id } from './shared/bounds.ts';
import { createTypeField } from './shared/descriptions.ts';

const Protocol = z.enum(['chat', 'responses', 'anthropic', 'gemini', 'converse', 'images']);

const createNameList = (description: string) => z.array(z.string()).describe(description);

export const OperationFields = z
  .object({
    operation: z
      .enum(['createResponse', 'createChatCompletion', 'generateImages', 'editImages'])
      .describe('The operation that the model can be called with.'),
    protocol: Protocol.describe("The protocol that the upstream is called with. If it's that of the operation, the body is forwarded."),
    calls: z
      .enum(['all', 'tools', 'tools-with-reasoning', 'others'])
      .describe(
        'The calls that this entry is about. `tools`: those with function tools, unless `reasoning_effort` is `none`. `tools-with-reasoning`: those with function tools and a `reasoning_effort` other than `none`. `others`: the rest of the calls, if some go over another protocol.',
      ),
    forwarded: createNameList('Fields that the upstream gets under the same name with the same value.'),
    translated: createNameList(
      'Fields that the upstream gets in its own form, such as another name, another value, or a part of the prompt.',
    ),
    dropped: createNameList(
      'Fields that the upstream has no equivalent for. The call succeeds without them, and `x-modelgate-dropped` lists them.',
    ),
    rejected: createNameList(
      'Fields that the upstream has no equivalent for and that the response depends on, or some of whose values it rejects. Calls with them return 400.',
    ),
  })
  .meta({
    id: 'OperationFields',
    description:
      "What happens to the fields of a request. A field whose value decides is in several lists: `temperature` can be forwarded up to 1, and rejected above. `tools[]` is an entry of `tools`. Fields that only the gateway uses, and those that it rejects for every model, are in no list. Prices aren't taken into account: a tool without one can be dropped, too.",
  });
export type OperationFields = z.infer<typeof OperationFields>;

const UpstreamProtocol = z
  .object({
    protocols: z.array(Protocol).describe('The protocols that the upstream supports for this model.'),
    operations: z
      .array(OperationFields)
      .describe(
        'The operations that the upstream can serve and that your key can use, with the fields of their requests. A field whose value decides is in several lists.',
      ),
  })
  .meta({ id: 'UpstreamProtocol', description: 'The upstreams of a model with the same protocols and rules.' });

const ModelProtocol = z
  .object({
    id: z.string().meta({ description: 'The model ID to use in requests.', examples: ['gpt-5.4'] }),
    object: createTypeField('model.protocol'),
    upstreams: z.array(UpstreamProtocol).describe('The kinds of upstreams that serve the model, in order of their priority.'),
  })
  .meta({ id: 'ModelProtocol', description: 'The protocols of a model.' });
export type ModelProtocol = z.infer<typeof ModelProtocol>;

export const ProtocolList = z
  .object({
    object: createTypeField('list'),
    data: z.array(ModelProtocol).describe('The models that your key can call, in a stable order.'),
  })
  .meta({ id: 'ProtocolList', description: 'The protocols of the models that your key can call.' });
export type ProtocolList = z.infer<typeof ProtocolList>;

export const ProtocolQuery = z.strictObject({
  model: Id.optional().describe('Only this model. Omit to get all models that your key can call.'),
});
