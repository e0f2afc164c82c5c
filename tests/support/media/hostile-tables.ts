/** Ways in which tables of an MP4 file count more than the file holds. */
export const HOSTILE_TABLES = {
  'a chunk of 2^32 samples': (bytes) => last(bytes, 'stsc').set([0xff, 0xff, 0xff, 0xff], 12),
  'a chunk beyond all chunks': (bytes) => last(bytes, 'stsc').set([0x7f, 0xff, 0xff, 0xff], 8),
  'more entries than its table of chunks has': (bytes) => last(bytes, 'stsc').set([0, 0xff, 0xff, 0xff], 4),
  'times of 2^32 samples': (bytes) => last(bytes, 'stts').set([0xff, 0xff, 0xff, 0xff], 8),
  '2^32 samples of one size': (bytes) => last(bytes, 'stsz').set([0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff], 4),
  'more samples than its table of sizes has': (bytes) => last(bytes, 'stsz').set([0, 0xff, 0xff, 0xff], 8),
  'more chunks than its table of offsets has': (bytes) => last(bytes, 'stco').set([0, 0xff, 0xff, 0xff], 4),
} satisfies Record<string, (bytes: Buffer) => void>;

/** Makes the last fragment of a file state 2^24 samples, none of which has its own entry. */
export function inflateLastRun(bytes: Buffer): void {
  last(bytes, 'trun').set([0, 0, 0, 1, 0, 0xff, 0xff, 0xff]);
}

/** Returns a copy of a file, changed. */
export async function changeFile(file: Blob, change: (bytes: Buffer) => void): Promise<Blob> {
  const bytes = Buffer.from(await file.arrayBuffer());
  change(bytes);
  return new Blob([new Uint8Array(bytes)]);
}

/** Returns the body of the last box of a type: in files of a video and its sound that of the sound. */
function last(bytes: Buffer, type: string): Buffer {
  return bytes.subarray(bytes.lastIndexOf(type) + 4);
}
