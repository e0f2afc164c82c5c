import type { ServerResponse } from 'node:http';
import { type HttpTarget, startHttpTarget } from './http-target.ts';

export interface WeightServer {
  readonly target: HttpTarget;
  readonly url: string;
  /** Number of further responses that break off in the middle. */
  breaks: number;
  /** Awaited before a response breaks off: a client may drop data that it has not read by then. */
  readsFirst: () => Promise<unknown>;
  /** Whether it supports range requests. */
  takesRanges: boolean;
  /** Content that it serves. */
  content: Uint8Array;
}

/** Starts a publisher of one weight file, with the failures that a test needs. */
export async function startWeightServer(content: Uint8Array): Promise<WeightServer> {
  const target = await startHttpTarget(({ headers }, response) => {
    const [, asked] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? [];
    const start = asked !== undefined && server.takesRanges ? Number(asked) : 0;
    const { length } = server.content;
    // Publishers that allow browsers send CORS headers, and expose the range headers.
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-expose-headers', 'content-range');
    if (start >= length) return void response.writeHead(416, { 'content-range': `bytes */${length}` }).end();
    response.writeHead(start > 0 ? 206 : 200, {
      'content-length': length - start,
      ...(start > 0 ? { 'content-range': `bytes ${start}-${length - 1}/${length}` } : {}),
    });
    const rest = server.content.subarray(start);
    if (server.breaks > 0) breakOff(response, rest);
    else response.end(rest);
  });
  const server: WeightServer = {
    target,
    url: `${target.origin}/published/weights.onnx`,
    breaks: 0,
    readsFirst: async () => {},
    takesRanges: true,
    content,
  };
  return server;

  function breakOff(response: ServerResponse, rest: Uint8Array): void {
    server.breaks -= 1;
    response.write(rest.subarray(0, Math.floor(rest.length / 2)), () => {
      void server.readsFirst().finally(() => response.socket?.destroy());
    });
  }
}
