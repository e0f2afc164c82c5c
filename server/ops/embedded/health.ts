import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { isAlive } from '../../base/is-alive.ts';

/** First message of a client that asks for encryption: the server responds with one byte, before any authentication. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/** Reports whether the server responds to a new connection. It does so at its limit on connections, too. */
export async function acceptsConnections(socketPath: string, timeoutMs: number): Promise<boolean> {
  const socket = connect(socketPath).setTimeout(timeoutMs);
  try {
    socket.write(SSL_REQUEST);
    return await new Promise<boolean>((resolve) => {
      for (const silent of ['error', 'close', 'timeout']) socket.once(silent, () => resolve(false));
      socket.once('data', () => resolve(true));
    });
  } finally {
    socket.destroy();
  }
}

/** Ends a server that does not respond, as PostgreSQL's own immediate shutdown or, after `graceMs`, by force. */
export async function killServer(pid: number, graceMs: number): Promise<void> {
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(pid, name);
    } catch {
      // It has just ended.
    }
  };
  signal('SIGQUIT');
  for (const endMs = Date.now() + graceMs; isAlive(pid) && Date.now() < endMs; ) await setTimeout(100);
  signal('SIGKILL');
}
