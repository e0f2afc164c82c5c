import { startRelay } from './relay.ts';
import type { RelayOrder } from './relay-order.ts';

const relays = new Map<string, ReturnType<typeof startRelay>>();

process.on('message', (order: RelayOrder) => {
  const relay = relays.get(order.name) ?? startRelay(order);
  relays.set(order.name, relay);
  relay.change(order);
});
// The bench is gone: so are its relays.
process.on('disconnect', () => process.exit());
