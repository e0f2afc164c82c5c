import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Wraps a listener so that it gets the requests of a connection one after the other. Node would pass on all that a
 * client sends ahead (pipelining) at once. Their responses have no socket yet, and thus never report that the client
 * has left: whatever they hold would stay open. One request ahead waits until the response before it has ended, since a
 * client may regard a response as complete before we do. Further ones close the connection: no browser and hardly any
 * client sends them (RFC 9112, section 9.3.2).
 */
export function queuePipelined(listener: RequestListener): RequestListener {
  const waiting = new WeakSet<Socket>();
  return (request, response) => {
    const { socket } = request;
    // Its other requests may have arrived together with the one that closed it.
    if (socket.destroyed) return;
    if (response.socket) return listener(request, response);
    if (waiting.has(socket)) return void socket.destroy();
    waiting.add(socket);
    response.once('socket', () => {
      waiting.delete(socket);
      if (!socket.destroyed) listener(request, response);
    });
  };
}
