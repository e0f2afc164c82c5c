import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';

/** Creates a stream that passes bytes through; `result` gives their number and SHA-256 at its end. */
export function createHashStream() {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk);
      bytes += chunk.byteLength;
      done(null, chunk);
    },
  });
  return { stream, result: () => ({ sha256: hash.digest('hex'), bytes }) };
}
