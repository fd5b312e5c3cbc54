/** Serves the health checks: `/livez` and `/readyz`. */
import type { FastifyInstance } from 'fastify';
import type { AddressCode } from '../../../contract/operation-errors.ts';
import { GatewayError } from '../../errors.ts';
import type { Gateway } from '../../gateway.ts';

/** `/livez`: the process answers. `/readyz`: it accepts requests. Neither asks an upstream. */
export function registerHealth(app: FastifyInstance, gateway: Gateway, describeOverload: () => string | null): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.get('/livez', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const isStopping = isClosing || gateway.isStopping;
    if (isStopping || !(await gateway.isReady())) {
      const message = isStopping ? 'The gateway is stopping.' : 'The gateway is not ready: its store does not answer.';
      const { status, body } = new GatewayError<AddressCode>('overloaded', { message });
      return reply.code(status).header('retry-after', '1').send(body);
    }
    const overload = describeOverload();
    const details = [...gateway.details(), ...(overload === null ? [] : [overload])];
    return { status: 'ok', ...(details.length > 0 && { details }) };
  });
}
