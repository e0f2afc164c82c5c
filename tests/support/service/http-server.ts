import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { createHttpServer, type HttpServerOptions } from '../../../server/api/transport/http-server.ts';
import { readEnv } from '../../../server/base/env.ts';
import { createLogger } from '../../../server/base/log.ts';

export interface TestHttpServer {
  readonly server: Server;
  /** Connects a client that may do as it likes. Its errors are ignored. */
  connect(options?: { localAddress?: string }): Promise<Socket>;
  connections(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts the web process's server in this process, on a loopback port, with a listener of the test's own. */
export async function startTestHttpServer(
  listener: RequestListener,
  { env = {}, ...options }: HttpServerOptions & { readonly env?: Record<string, string> } = {},
): Promise<TestHttpServer> {
  const ctx = { env: readEnv(env), log: createLogger('silent', 'test') };
  const server = createHttpServer(ctx, listener, options).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const clients = new Set<Socket>();
  return {
    server,
    async connect(from = {}) {
      const client = connect({ host: '127.0.0.1', port, ...from }).on('error', () => {});
      clients.add(client);
      await once(client, 'connect');
      return client;
    },
    connections: () => promisify(server.getConnections.bind(server))(),
    async stop() {
      for (const client of clients) client.destroy();
      server.closeAllConnections();
      await promisify(server.close.bind(server))();
    },
  };
}

/** Waits until a client's connection has ended, by an error or not. */
export function waitForClose(client: Socket): Promise<void> {
  return new Promise((resolve) => client.once('close', () => resolve()));
}
