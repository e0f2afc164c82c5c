import { readFile } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';

/** Array of NumPy, row by row. */
export interface NumpyArray {
  readonly shape: readonly number[];
  readonly values: readonly number[];
}

const READERS: Readonly<Record<string, (data: Buffer) => Iterable<number>>> = {
  '<f4': (data) => new Float32Array(Uint8Array.from(data).buffer),
  '<f8': (data) => new Float64Array(Uint8Array.from(data).buffer),
  '|i1': (data) => new Int8Array(Uint8Array.from(data).buffer),
};

/** Reads an array of an .npz file: a ZIP archive of .npy files. */
export async function readNpz(path: string, name: string): Promise<NumpyArray> {
  const zip = await readFile(path);
  // The local header may leave the sizes open; the central directory has them.
  const entry = zip.lastIndexOf(`${name}.npy`) - 46;
  const isDeflated = zip.readUInt16LE(entry + 10) === 8;
  const size = zip.readUInt32LE(entry + 20);
  const local = zip.readUInt32LE(entry + 42);
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const bytes = zip.subarray(start, start + size);
  return readNpy(isDeflated ? inflateRawSync(bytes) : bytes);
}

function readNpy(npy: Buffer): NumpyArray {
  const end = 10 + npy.readUInt16LE(8);
  const header = npy.toString('latin1', 10, end);
  const type = /'descr': '([^']+)'/.exec(header)?.[1] ?? '';
  const shape = (/'shape': \(([^)]*)\)/.exec(header)?.[1] ?? '').split(',').filter((part) => part.trim());
  const read = READERS[type];
  if (!read) throw new Error(`arrays of ${type} are not read`);
  return { shape: shape.map(Number), values: [...read(npy.subarray(end))] };
}
