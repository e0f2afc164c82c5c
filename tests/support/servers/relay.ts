import { once } from 'node:events';
import { connect, createServer, type ListenOptions, type NetConnectOpts, type Socket } from 'node:net';

/** Relay of TCP connections or a socket file that can be taken away: connections then break, or are refused. */
export interface Relay {
  /** Port where it listens; 0 for a socket file. */
  readonly port: number;
  takeAway(): Promise<void>;
  bringBack(): Promise<void>;
}

export async function startRelay(target: NetConnectOpts, place: ListenOptions): Promise<Relay> {
  const sockets = new Set<Socket>();
  const server = createServer((incoming) => {
    const outgoing = connect(target);
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    }
    incoming.pipe(outgoing).pipe(incoming);
  });
  const listen = async (at: ListenOptions): Promise<number> => {
    server.listen(at);
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  };
  const port = await listen(place);
  return {
    port,
    async takeAway() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    async bringBack() {
      await listen(port === 0 ? place : { ...place, port });
    },
  };
}
