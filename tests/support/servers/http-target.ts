import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpTarget {
  readonly port: number;
  /** `http://<host>:<port>` */
  readonly origin: string;
  /** All requests received, with their bodies. */
  readonly requests: { readonly request: IncomingMessage; readonly body: string }[];
  connectionCount(): number;
  stop(): Promise<void>;
}

/** Starts a real HTTP server on a loopback address, so that a test can play the user's side. */
export async function startHttpTarget(
  respond: (request: IncomingMessage, response: ServerResponse, body: string) => void,
  options: { host?: string; port?: number } = {},
): Promise<HttpTarget> {
  const host = options.host ?? '127.0.0.1';
  const requests: HttpTarget['requests'] = [];
  const listener: RequestListener = async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts).toString();
    requests.push({ request, body });
    respond(request, response, body);
  };
  let connections = 0;
  const server = createServer(listener).on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://${host}:${port}`,
    requests,
    connectionCount: () => connections,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
