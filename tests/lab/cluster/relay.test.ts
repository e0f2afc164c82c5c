import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { startRelay } from '../../../lab/cluster/parts/relay.ts';
import type { RelayOrder } from '../../../lab/cluster/parts/relay-order.ts';
import { findFreePort } from '../../../lab/support/service.ts';

const HOST = '127.0.0.1';
const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Starts a server that sends back what it receives. */
async function startEcho(port: number): Promise<Server> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.pipe(socket);
  }).listen(port, HOST);
  await once(server, 'listening');
  closers.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return server;
}

async function startRelayTo(targetPort: number) {
  const order: RelayOrder = {
    name: 'test',
    listen: { host: HOST, port: await findFreePort() },
    target: { host: HOST, port: targetPort },
    delayMs: 0,
    isStalled: false,
    generation: 0,
  };
  const relay = startRelay(order);
  closers.push(relay.close);
  return { order, relay };
}

async function open(port: number): Promise<Socket> {
  for (;;) {
    const socket = connect(port, HOST).on('error', () => {});
    closers.push(() => socket.destroy());
    if (await once(socket, 'connect').catch(() => undefined)) return socket;
  }
}

async function receive(socket: Socket, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  while (length < bytes) {
    const [chunk] = await once(socket, 'data');
    chunks.push(chunk);
    length += chunk.length;
  }
  return Buffer.concat(chunks);
}

it('passes bytes both ways in their order, also while its delay changes', async () => {
  const port = await findFreePort();
  await startEcho(port);
  const { order, relay } = await startRelayTo(port);
  const socket = await open(order.listen.port);
  const sent = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251));
  const echoed = receive(socket, sent.length);
  for (const [i, delayMs] of [30, 0, 20].entries()) {
    relay.change({ ...order, delayMs });
    socket.write(sent.subarray(i * 100_000, (i + 1) * 100_000));
  }
  expect((await echoed).equals(sent)).toBe(true);
});

it('keeps what arrives during a stall, and passes it on afterwards', async () => {
  const port = await findFreePort();
  await startEcho(port);
  const { order, relay } = await startRelayTo(port);
  const socket = await open(order.listen.port);
  relay.change({ ...order, isStalled: true });
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.write('late');
  // Another relay responds in between.
  const other = await startRelayTo(port);
  const quick = await open(other.order.listen.port);
  quick.write('now');
  expect(String(await receive(quick, 3))).toBe('now');
  expect(received).toBe('');
  relay.change(order);
  await expect.poll(() => received).toBe('late');
});

it('keeps connections of an earlier generation silent for ever', async () => {
  const port = await findFreePort();
  await startEcho(port);
  const { order, relay } = await startRelayTo(port);
  const before = await open(order.listen.port);
  before.write('one');
  expect(String(await receive(before, 3))).toBe('one');
  relay.change({ ...order, generation: 1 });
  let received = '';
  before.on('data', (chunk) => {
    received += chunk;
  });
  before.write('two');
  const after = await open(order.listen.port);
  after.write('three');
  expect(String(await receive(after, 5))).toBe('three');
  expect(received).toBe('');
  expect(before.destroyed).toBe(false);
});

it('refuses connections while its target does, and leads new ones to another target', async () => {
  const [gone, there] = [await findFreePort(), await findFreePort()];
  const { order, relay } = await startRelayTo(gone);
  const dial = async (): Promise<string> => {
    const socket = connect(order.listen.port, HOST);
    closers.push(() => socket.destroy());
    // The relay resets a connection whose target refuses it.
    socket.on('error', () => {});
    return await once(socket, 'connect').then(
      () => 'connected',
      (thrown: NodeJS.ErrnoException) => thrown.code ?? '',
    );
  };
  await expect.poll(dial).toBe('ECONNREFUSED');
  await startEcho(there);
  relay.change({ ...order, target: { host: HOST, port: there } });
  await expect.poll(dial).toBe('connected');
});
