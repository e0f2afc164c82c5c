import { connect, createServer, type Socket } from 'node:net';
import { createConduit } from './conduit.ts';
import type { RelayOrder } from './relay-order.ts';

/** Pause before the target of a relay is asked again whether it accepts connections. */
const TRY_MS = 100;
/** Longest wait for such a response: the target may be behind a link that is cut, and another one be named. */
const TRIAL_MS = 1_000;

/** Relay of TCP connections. */
interface Relay {
  /** Changes its target, for new connections, and delay and stall for all. */
  change(order: RelayOrder): void;
  /** Takes no more connections. Those that are open end with their sockets. */
  close(): void;
}

/** The end of one direction leaves the other open, as without a relay. */
const SOCKETS = { noDelay: true, allowHalfOpen: true };

/**
 * Starts a relay of TCP connections. While its target refuses connections, it refuses them, too.
 * @returns functions that change its target, delay and stall, and that close it
 */
export function startRelay(first: RelayOrder): Relay {
  let order = first;
  let isClosed = false;
  const conduits = new Set<(order: RelayOrder) => void>();
  const listen = (): void => {
    if (!isClosed) server.listen(order.listen);
  };
  const join = (incoming: Socket, outgoing: Socket): void => {
    for (const conduit of [createConduit(incoming, outgoing), createConduit(outgoing, incoming)]) {
      const { generation } = order;
      const change = (next: RelayOrder) =>
        conduit.change({
          delayMs: next.delayMs,
          isStalled: next.isStalled || next.generation > generation,
        });
      change(order);
      conduits.add(change);
      incoming.once('close', () => conduits.delete(change));
    }
  };
  const listenOnceAccepted = (): void => {
    const again = () => setTimeout(listenOnceAccepted, TRY_MS);
    if (isClosed) return;
    const trial = connect({ ...order.target, timeout: TRIAL_MS });
    trial.once('timeout', () => trial.destroy(new Error('no response')));
    trial.once('error', again);
    trial.once('connect', () => {
      trial
        .off('error', again)
        .on('error', () => {})
        .destroy();
      listen();
    });
  };
  const server = createServer(SOCKETS, (incoming) => {
    const outgoing = connect({ ...order.target, ...SOCKETS });
    let isConnected = false;
    outgoing.once('connect', () => {
      isConnected = true;
    });
    outgoing.once('error', () => {
      if (isConnected || !server.listening) return;
      server.close();
      listenOnceAccepted();
    });
    join(incoming, outgoing);
  });
  server.on('error', () => setTimeout(listen, TRY_MS));
  listen();
  return {
    change(next) {
      order = next;
      for (const change of conduits) change(next);
    },
    close() {
      isClosed = true;
      server.close();
    },
  };
}
