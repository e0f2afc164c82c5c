const MD5_BLOCK_BYTES = 64;

/** Rotations of the four rounds: RFC 1321, 3.4. */
const ROTATIONS = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const;

const SINES = Array.from({ length: 64 }, (_, step) => Math.floor(2 ** 32 * Math.abs(Math.sin(step + 1))));

type State = [number, number, number, number];

const ROUNDS = 64;
const BLOCK_BYTES = 64;
/** First bits of the fractional parts of the roots of the first primes: FIPS 180-4, sections 4.2.2 and 5.3.3. */
const PRIMES = firstPrimes(ROUNDS);
const ROUND_CONSTANTS = Int32Array.from(PRIMES, (prime) => fractionBits(Math.cbrt(prime)));
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => fractionBits(Math.sqrt(prime)));

/**
 * Computes SHA-256 in hex: FIPS 180-4. For browsers without WebCrypto, which is several times faster but exists only
 * on HTTPS and localhost pages.
 */
export function sha256(bytes: Uint8Array): string {
  const state = START.slice();
  const schedule = new Int32Array(ROUNDS);
  const wholeBytes = bytes.length - (bytes.length % BLOCK_BYTES);
  for (let at = 0; at < wholeBytes; at += BLOCK_BYTES) absorb(state, schedule, bytes, at);
  const end = padded(bytes.subarray(wholeBytes), bytes.length);
  for (let at = 0; at < end.length; at += BLOCK_BYTES) absorb(state, schedule, end, at);
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let next = 2; primes.length < count; next++) {
    if (primes.every((prime) => next % prime !== 0)) primes.push(next);
  }
  return primes;
}

function fractionBits(value: number): number {
  return Math.floor((value % 1) * 2 ** 32) | 0;
}

/** Appends a 1 bit, zeros, and the length in bits. */
function padded(rest: Uint8Array, bytesTotal: number): Uint8Array {
  const end = new Uint8Array(rest.length + 9 > BLOCK_BYTES ? 2 * BLOCK_BYTES : BLOCK_BYTES);
  end.set(rest);
  end[rest.length] = 0x80;
  const view = new DataView(end.buffer);
  view.setUint32(end.length - 8, Math.floor(bytesTotal / 2 ** 29));
  view.setUint32(end.length - 4, (bytesTotal * 8) >>> 0);
  return end;
}

/** Processes one block into the state: section 6.2.2. */
function absorb(state: Int32Array, schedule: Int32Array, bytes: Uint8Array, at: number): void {
  fillSchedule(schedule, bytes, at);
  let [a, b, c, d, e, f, g, h] = state;
  for (let round = 0; round < ROUNDS; round++) {
    const spreadE = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const spreadA = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const chosen = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const mixed = (h + spreadE + chosen + ROUND_CONSTANTS[round] + schedule[round]) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + mixed) | 0;
    d = c;
    c = b;
    b = a;
    a = (mixed + spreadA + majority) | 0;
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) {
    state[index] = state[index] + word;
  }
}

function fillSchedule(schedule: Int32Array, bytes: Uint8Array, at: number): void {
  for (let index = 0; index < 16; index++) {
    const from = at + index * 4;
    schedule[index] =
      (bytes[from] << 24) | (bytes[from + 1] << 16) | (bytes[from + 2] << 8) | bytes[from + 3];
  }
  for (let index = 16; index < ROUNDS; index++) {
    const early = schedule[index - 15];
    const late = schedule[index - 2];
    const spreadEarly = ((early >>> 7) | (early << 25)) ^ ((early >>> 18) | (early << 14)) ^ (early >>> 3);
    const spreadLate = ((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10);
    schedule[index] = schedule[index - 16] + schedule[index - 7] + spreadEarly + spreadLate;
  }
}

/**
 * Returns the MD5 digest of bytes (RFC 1321) as hexadecimal digits in lower case. Formats name it; it protects nothing.
 */
export function md5(bytes: Uint8Array): string {
  const blocks = Math.floor((bytes.length + 8) / MD5_BLOCK_BYTES) + 1;
  const padded = new Uint8Array(blocks * MD5_BLOCK_BYTES);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n, true);
  const state: State = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];
  for (let at = 0; at < padded.length; at += MD5_BLOCK_BYTES) addBlock(state, view, at);
  const digest = new DataView(new ArrayBuffer(16));
  state.forEach((word, place) => {
    digest.setUint32(place * 4, word, true);
  });
  return Array.from({ length: 16 }, (_, at) => digest.getUint8(at).toString(16).padStart(2, '0')).join('');
}

function addBlock(state: State, view: DataView, at: number): void {
  let [a, b, c, d] = state;
  for (let step = 0; step < 64; step++) {
    const round = step >> 4;
    const mixed = a + mix(round, b, c, d) + SINES[step] + view.getUint32(at + getWord(step) * 4, true);
    const rotation = ROTATIONS[round]?.[step % 4];
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
function getWord(step: number): number {
  const factors = [1, 5, 3, 7] as const;
  const starts = [0, 1, 5, 0] as const;
  const round = step >> 4;
  return (factors[round] * step + starts[round]) % 16;
}
