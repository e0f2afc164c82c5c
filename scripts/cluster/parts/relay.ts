import { connect, createServer, type Socket } from 'node:net';
import { createConduit } from './conduit.ts';
import type { RelayOrder } from './relay-process.ts';

/** Pause before the target of a relay is asked again whether it accepts connections. */
const TRY_MS = 100;

/** The end of one direction leaves the other open, as without a relay. */
const SOCKETS = { noDelay: true, allowHalfOpen: true };

/**
 * Starts a relay of TCP connections. While its target refuses connections, it refuses them, too.
 * @returns a function that changes target, delay and stall
 */
export function startRelay(first: RelayOrder): { change(order: RelayOrder): void } {
  let order = first;
  const conduits = new Set<ReturnType<typeof createConduit>>();
  const server = createServer(SOCKETS, (incoming) => {
    const outgoing = connect({ ...order.target, ...SOCKETS });
    let isConnected = false;
    outgoing.once('connect', () => {
      isConnected = true;
    });
    outgoing.once('error', () => {
      if (!isConnected && server.listening) refuseUntilAccepted();
    });
    join(incoming, outgoing);
  });
  server.on('error', () => setTimeout(listen, TRY_MS));
  function join(incoming: Socket, outgoing: Socket): void {
    for (const conduit of [createConduit(incoming, outgoing), createConduit(outgoing, incoming)]) {
      conduit.change(order);
      conduits.add(conduit);
      incoming.once('close', () => conduits.delete(conduit));
    }
  }
  function listen(): void {
    server.listen(order.listen);
  }
  function refuseUntilAccepted(): void {
    server.close();
    const attempt = (): void => {
      const trial = connect(order.target);
      trial.once('error', () => setTimeout(attempt, TRY_MS));
      trial.once('connect', () => {
        trial.destroy();
        listen();
      });
    };
    attempt();
  }
  listen();
  return {
    change(next) {
      order = next;
      for (const conduit of conduits) conduit.change(next);
    },
  };
}
