/** A worker that takes the reference page's viewer out of its package and ends: loading it costs time and memory that callers must not pay. */
import { parentPort } from 'node:worker_threads';
import viewer from '@scalar/fastify-api-reference';
import Fastify from 'fastify';

const shelf = Fastify();
await shelf.register(viewer, { routePrefix: '/', configuration: { url: 'openapi.json' } });
const { rawPayload } = await shelf.inject('/js/scalar.js');
parentPort?.postMessage(rawPayload);
await shelf.close();
