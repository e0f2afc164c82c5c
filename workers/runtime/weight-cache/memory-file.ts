import type { PartFile } from '../../../models/core/weights/download.ts';
import { sha256Of } from './sha256-of.ts';

/** Creates a file that lives only as long as the worker, for browsers without a private file system. */
export function memoryFile(): PartFile & { bytes(): Uint8Array<ArrayBuffer> } {
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  const size = () => chunks.reduce((sum, { length }) => sum + length, 0);
  const bytes = () => {
    const whole = new Uint8Array(size());
    let at = 0;
    for (const chunk of chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    chunks = [whole];
    return whole;
  };
  return {
    bytes,
    size: async () => size(),
    append: async (chunk) => void chunks.push(chunk),
    clear: async () => {
      chunks = [];
    },
    sha256: () => sha256Of(bytes()),
  };
}
