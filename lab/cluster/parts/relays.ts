import { join } from 'node:path';
import { type Host, type Network, SERVICE_HOSTS, type ServiceHost } from '../network/hosts.ts';
import { type Part, startPart } from './part.ts';
import type { RelayOrder } from './relay-order.ts';

/** Parts that a host of the service reaches through its own relay. */
export const SERVED = ['database', 'store'] as const;
export type Served = (typeof SERVED)[number];

/** Relays between each host of the service and the two that it needs. */
export interface Relays {
  readonly part: Part;
  /** Returns the port of the host `link` where a host finds what it needs. */
  getPort(from: ServiceHost, to: Served): number;
  /** Delays what these hosts send and receive, in ms for each direction. */
  delay(from: readonly ServiceHost[], delayMs: number): void;
  /** Stalls the connections of hosts, or lets them go on. */
  stall(from: readonly ServiceHost[], to: readonly Served[], isStalled: boolean): void;
  /** Leads all new connections elsewhere. Those that are open stay so, and nothing passes through them any more. */
  direct(to: Served, target: { readonly host: string; readonly port: number }): void;
}

const FIRST_PORT = 15_000;

/** Starts the relays, on the host `link`. */
export function startRelays(
  network: Network,
  targets: Readonly<Record<Served, { readonly host: string; readonly port: number }>>,
  logs: string,
): Relays {
  const link: Host = 'link';
  const script = join(import.meta.dirname, 'relay-process.ts');
  const part = startPart({
    command: network.commandOn(link, [process.execPath, '--import', 'tsx', script]),
    log: join(logs, 'link.log'),
    hasMessages: true,
  });
  const orders = new Map<string, RelayOrder>();
  let generation = 0;
  const getName = (from: ServiceHost, to: Served) => `${from}.${to}`;
  const change = (name: string, changed: Partial<RelayOrder>) => {
    const order = orders.get(name);
    if (!order) throw new Error(`there is no relay ${name}`);
    orders.set(name, { ...order, ...changed });
    part.child.send({ ...order, ...changed });
  };
  const host = network.addressOf(link);
  for (const [i, from] of SERVICE_HOSTS.entries()) {
    for (const [j, to] of SERVED.entries()) {
      const listen = { host, port: FIRST_PORT + i * SERVED.length + j };
      const name = getName(from, to);
      orders.set(name, { name, listen, target: targets[to], delayMs: 0, isStalled: false, generation: 0 });
      change(name, {});
    }
  }
  return {
    part,
    getPort: (from, to) => orders.get(getName(from, to))?.listen.port ?? Number.NaN,
    delay(froms, delayMs) {
      for (const from of froms) for (const to of SERVED) change(getName(from, to), { delayMs });
    },
    stall(froms, tos, isStalled) {
      for (const from of froms) for (const to of tos) change(getName(from, to), { isStalled });
    },
    direct(to, target) {
      generation++;
      for (const from of SERVICE_HOSTS) change(getName(from, to), { target, generation });
    },
  };
}
