import type { Readable } from 'node:stream';

/** Closes a stream that nobody reads further. The break is an error of the stream, which nobody waits for, either. */
export function discardStream(stream: Readable): void {
  stream.on('error', () => {}).destroy();
}
