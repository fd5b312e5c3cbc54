/** The floor: node:http in, node:http out, bytes piped both ways. */
import { Agent, createServer, request } from 'node:http';
import { announce } from './probe.ts';

const upstream = new URL(process.argv[2] ?? '');
const agent = new Agent({ keepAlive: true });

const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
  const { host: _host, connection: _connection, ...headers } = incoming.headers;
  const outgoing = request(
    { agent, host: upstream.hostname, port: upstream.port, path: incoming.url, method: incoming.method, headers },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  outgoing.on('error', () => response.destroy());
  response.on('close', () => response.writableFinished || outgoing.destroy());
  incoming.pipe(outgoing);
});

announce(server);
