import type { Readable } from 'node:stream';

/** Closes a stream that has no reader any more. The break is an error of the stream, for which nothing waits, either. */
export function discardStream(stream: Readable): void {
  stream.on('error', () => {}).destroy();
}
