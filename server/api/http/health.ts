/** Registers GET /livez and GET /readyz. */
import type { FastifyInstance } from 'fastify';
import type { AddressCode } from '../../../contract/operation-errors.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { GatewayError } from '../../primitives/errors.ts';

/** `/livez` shows that the process responds, `/readyz` that it accepts requests. Neither calls an upstream. */
export function registerHealth(app: FastifyInstance, gateway: Gateway, describeOverload: () => string | null): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.get('/livez', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const isStopping = isClosing || gateway.isStopping;
    if (isStopping || !(await gateway.isReady())) {
      const message = isStopping ? 'The gateway is shutting down.' : "The gateway isn't ready: the database doesn't respond.";
      const { status, body } = new GatewayError<AddressCode>('overloaded', { message });
      return reply.code(status).header('retry-after', '1').send(body);
    }
    const overload = describeOverload();
    const details = [...gateway.details(), ...(overload === null ? [] : [overload])];
    return { status: 'ok', ...(details.length > 0 && { details }) };
  });
}
