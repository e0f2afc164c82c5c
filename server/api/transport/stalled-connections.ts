import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Slowest progress of a connection that is sending a request or receiving a response. */
export interface MinimumPace {
  readonly windowMs: number;
  /** Bytes within each window. */
  readonly bytes: number;
}

/** 2 kB a second: an old mobile network is ten times faster, and an interruption of almost a minute is tolerated. */
const PACE_MIN: MinimumPace = { windowMs: 60_000, bytes: 120_000 };
/** Time to receive the rest of a body after the response: some clients read only once they have sent everything. */
const LINGER_MS = 10_000;
const CHECKS_PER_WINDOW = 6;

export interface StallOptions {
  /** Defaults to 120 kB a minute. */
  readonly paceMin?: MinimumPace;
  /** Defaults to 10 s. */
  readonly lingerMs?: number;
  /** Called for each connection that is ended. */
  readonly onStalled?: (direction: Direction) => void;
}

type Direction = 'request' | 'response';

/** Start of the current window in one direction. */
interface Window {
  readonly sinceMs: number;
  readonly bytes: number;
}

interface Connection {
  windows: Record<Direction, Window>;
  /** The latest request: only that one can be incomplete. */
  request?: IncomingMessage;
}

/**
 * Ends connections whose client sends a request's body or reads a response too slowly, so that none holds a file or
 * a connection to the store without end. A total time would not do: a large upload may take an hour. Time during
 * which this process does not read, or has nothing to send, does not count.
 */
export function endStalledConnections(server: Server, options: StallOptions = {}): void {
  const { paceMin = PACE_MIN, lingerMs = LINGER_MS, onStalled = () => {} } = options;
  const connections = new Map<Socket, Connection>();
  const checkEveryMs = paceMin.windowMs / CHECKS_PER_WINDOW;
  let checkedAtMs = performance.now();

  server.on('connection', (socket: Socket) => {
    const nowMs = performance.now();
    connections.set(socket, { windows: { request: startWindow(0, nowMs), response: startWindow(0, nowMs) } });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (connection) connection.request = request;
    response.once('finish', () => destroyAfterLinger(request, lingerMs));
  });
  const timer = setInterval(() => {
    const nowMs = performance.now();
    // This process was busy or suspended: what clients have sent since may still wait to be read.
    const wasLate = nowMs - checkedAtMs > 2 * checkEveryMs;
    checkedAtMs = nowMs;
    for (const [socket, connection] of connections) {
      const stalled = wasLate
        ? restartWindow(socket, connection, nowMs)
        : checkConnection(socket, connection, nowMs, paceMin);
      if (!stalled) continue;
      socket.destroy();
      onStalled(stalled);
    }
  }, checkEveryMs).unref();
  server.once('close', () => clearInterval(timer));
}

const startWindow = (bytes: number, sinceMs: number): Window => ({ sinceMs, bytes });

/** Returns bytes so far and whether the client is to move more, by direction. */
function hasProgressed(socket: Socket, { request }: Connection) {
  const isSending = request !== undefined && !request.complete && request.readableLength === 0;
  const pendingBytes = socket.writableLength;
  return {
    request: { bytes: socket.bytesRead, isDue: isSending },
    response: { bytes: (socket.bytesWritten ?? 0) - pendingBytes, isDue: pendingBytes > 0 },
  };
}

function restartWindow(socket: Socket, connection: Connection, nowMs: number): undefined {
  const { request, response } = hasProgressed(socket, connection);
  connection.windows = {
    request: startWindow(request.bytes, nowMs),
    response: startWindow(response.bytes, nowMs),
  };
}

/** Moves on to the next window where enough bytes have passed, and returns a direction where too few have. */
function checkConnection(
  socket: Socket,
  connection: Connection,
  nowMs: number,
  paceMin: MinimumPace,
): Direction | undefined {
  const { windows } = connection;
  const now = hasProgressed(socket, connection);
  for (const direction of ['request', 'response'] as const) {
    const { bytes, isDue } = now[direction];
    const window = windows[direction];
    if (!isDue || bytes - window.bytes >= paceMin.bytes) windows[direction] = startWindow(bytes, nowMs);
    else if (nowMs - window.sinceMs > paceMin.windowMs) return direction;
  }
  return undefined;
}

/** Ends a connection that is still receiving a body after its response. */
function destroyAfterLinger(request: IncomingMessage, lingerMs: number): void {
  if (request.complete) return;
  const timer = setTimeout(() => request.complete || request.socket.destroy(), lingerMs).unref();
  request.once('close', () => clearTimeout(timer));
}
