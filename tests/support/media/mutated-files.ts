import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';

const FIXTURES = resolve(import.meta.dirname, '../../fixtures');
/** Numbers at which readers of lengths, counts and offsets go wrong. */
const EDGES = [
  0, 1, 2, 7, 8, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff,
];

type Edit = (bytes: Buffer) => Buffer;

/** Lists the real files of a kind. */
export function listFixtures(kind: 'images' | 'videos' | 'audio'): { name: string; bytes: Buffer }[] {
  const folder = resolve(FIXTURES, kind);
  return readdirSync(folder)
    .sort()
    .map((name) => ({ name, bytes: readFileSync(resolve(folder, name)) }));
}

/** Arbitrary of files that differ from a real one as hostile and damaged ones do. */
export function arbitraryMutation(bytes: Buffer): fc.Arbitrary<Buffer> {
  // Most structure is at the start.
  const place = fc.oneof(
    fc.integer({ min: 4, max: Math.min(bytes.length, 600) - 1 }),
    fc.integer({ min: 4, max: bytes.length - 1 }),
  );
  const number = fc.oneof(fc.constantFrom(...EDGES), fc.integer({ min: 0, max: bytes.length }));
  const edit = fc.oneof<fc.Arbitrary<Edit>[]>(
    fc.tuple(place, number, fc.constantFrom(1, 2, 4, 8), fc.boolean()).map((args) => overwrite(...args)),
    fc.tuple(place, place, fc.integer({ min: 1, max: 64 })).map((args) => copy(...args)),
    fc.tuple(place, fc.integer({ min: 1, max: 64 })).map(([at, length]) => cut(at, length)),
    place.map((length) => truncate(length)),
  );
  return fc.array(edit, { minLength: 1, maxLength: 5 }).map((edits) => {
    return edits.reduce<Buffer>((file, change) => change(file), bytes);
  });
}

function overwrite(at: number, value: number, width: number, isLittle: boolean): Edit {
  return (file) => {
    const digits = Buffer.alloc(8);
    if (isLittle) digits.writeBigUInt64LE(BigInt(value));
    else digits.writeBigUInt64BE(BigInt(value));
    const written = Buffer.from(file);
    digits.copy(written, Math.min(at, file.length), isLittle ? 0 : 8 - width, isLittle ? width : 8);
    return written;
  };
}

function copy(from: number, to: number, length: number): Edit {
  return (file) =>
    Buffer.concat([file.subarray(0, to), file.subarray(from, from + length), file.subarray(to)]);
}

function cut(at: number, length: number): Edit {
  return (file) => Buffer.concat([file.subarray(0, at), file.subarray(at + length)]);
}

function truncate(length: number): Edit {
  return (file) => file.subarray(0, length);
}

/** Blob that counts what is read of it. */
export class CountedBlob extends Blob {
  bytesRead = 0;

  override slice(start?: number, end?: number, type?: string): Blob {
    const part = super.slice(start, end, type);
    this.bytesRead += part.size;
    return part;
  }
}
