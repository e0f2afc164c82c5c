import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { limitConnections, readConnectionLimits } from '../../../server/api/transport/connection-limits.ts';
import { createLogger } from '../../../server/base/log.ts';

test('connections fit the limit on open files, and one address gets at most half of them', () => {
  expect(readConnectionLimits({ CONNECTIONS_PER_ADDRESS: 512 }, 300)).toEqual({ total: 100, perAddress: 50 });
  expect(readConnectionLimits({ CONNECTIONS_PER_ADDRESS: 512 }, 1_048_576)).toEqual({
    total: 10_000,
    perAddress: 512,
  });
  expect(readConnectionLimits({ CONNECTIONS_PER_ADDRESS: 512 }, 64)).toEqual({ total: 2, perAddress: 1 });
});

test('the networks of one IPv6 site get half of all connections together', () => {
  const server = createServer();
  const ctx = { env: { TRUSTED_PROXIES: 0 }, log: createLogger('silent', 'test') };
  limitConnections(server, { total: 100, perAddress: 30 }, ctx);
  const refused: string[] = [];
  const connectFrom = (remoteAddress: string): EventEmitter => {
    const socket = Object.assign(new EventEmitter(), {
      remoteAddress,
      write(response: string) {
        expect(response).toContain('access-control-allow-origin: *');
        refused.push(remoteAddress);
      },
      destroySoon: () => {},
    });
    server.emit('connection', socket);
    return socket;
  };
  const held = Array.from({ length: 50 }, (_, index) => connectFrom(`2001:db8:1:${index % 10}::1`));
  connectFrom('2001:db8:1:10::1').emit('close');
  connectFrom('2001:db8:2:0::1');
  expect(refused).toEqual(['2001:db8:1:10::1']);

  held[0]?.emit('close');
  connectFrom('2001:db8:1:10::1');
  expect(refused).toHaveLength(1);
});
