/** A worker that loads the reference page's viewer from its package and ends: the main thread pays neither the time nor the memory. */
import { parentPort } from 'node:worker_threads';
import viewer from '@scalar/fastify-api-reference';
import Fastify from 'fastify';

const shelf = Fastify();
await shelf.register(viewer, { routePrefix: '/', configuration: { url: 'openapi.json' } });
const { rawPayload } = await shelf.inject('/js/scalar.js');
parentPort?.postMessage(rawPayload);
await shelf.close();
