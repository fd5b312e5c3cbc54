/** The yardstick: Fastify and undici as most would write it; JSON is parsed and written again both ways, streams are handed on. */
import fastify from 'fastify';
import { Pool } from 'undici';
import { announce } from './probe.ts';

const pool = new Pool(process.argv[2] ?? '');
const app = fastify({ bodyLimit: 32 * 1024 * 1024, keepAliveTimeout: 60_000 });

app.post('/v1/*', async (request, reply) => {
  const answer = await pool.request({
    path: request.url,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: request.headers.authorization ?? '' },
    body: JSON.stringify(request.body),
  });
  reply.code(answer.statusCode);
  if (!String(answer.headers['content-type']).startsWith('text/event-stream')) return answer.body.json();
  return reply.header('content-type', 'text/event-stream').send(answer.body);
});

await app.ready();
announce(app.server);
