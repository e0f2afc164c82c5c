const BLOCK_BYTES = 64;
/** Rotations of the four rounds: RFC 1321, 3.4. */
const ROTATIONS = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const;
const SINES = Array.from({ length: 64 }, (_, step) => Math.floor(2 ** 32 * Math.abs(Math.sin(step + 1))));

/**
 * Returns the MD5 digest of bytes (RFC 1321) as hexadecimal digits in lower case. Formats name it; it protects nothing.
 */
export function md5(bytes: Uint8Array): string {
  const blocks = Math.floor((bytes.length + 8) / BLOCK_BYTES) + 1;
  const padded = new Uint8Array(blocks * BLOCK_BYTES);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n, true);
  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476] as State;
  for (let at = 0; at < padded.length; at += BLOCK_BYTES) addBlock(state, view, at);
  const digest = new DataView(new ArrayBuffer(16));
  state.forEach((word, place) => {
    digest.setUint32(place * 4, word, true);
  });
  return Array.from({ length: 16 }, (_, at) => digest.getUint8(at).toString(16).padStart(2, '0')).join('');
}

type State = [number, number, number, number];

function addBlock(state: State, view: DataView, at: number): void {
  let [a, b, c, d] = state;
  for (let step = 0; step < 64; step++) {
    const round = step >> 4;
    const mixed = a + mix(round, b, c, d) + SINES[step] + view.getUint32(at + wordOf(step) * 4, true);
    const rotation = ROTATIONS[round]?.[step % 4] as number;
    const turned = (mixed << rotation) | ((mixed >>> 0) >>> (32 - rotation));
    [a, d, c, b] = [d, c, b, (b + turned) | 0];
  }
  [a, b, c, d].forEach((word, place) => {
    state[place] = (state[place] + word) >>> 0;
  });
}

function mix(round: number, b: number, c: number, d: number): number {
  if (round === 0) return (b & c) | (~b & d);
  if (round === 1) return (d & b) | (~d & c);
  return round === 2 ? b ^ c ^ d : c ^ (b | ~d);
}

/** Returns the place of the word that a step adds. */
function wordOf(step: number): number {
  const factors = [1, 5, 3, 7] as const;
  const starts = [0, 1, 5, 0] as const;
  const round = step >> 4;
  return ((factors[round] as number) * step + (starts[round] as number)) % 16;
}
