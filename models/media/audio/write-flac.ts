import { getFrameCount, type PcmChunk, type PcmFormat } from '../../core/runtime/audio-codec.ts';
import { ascii, concat, u16, u32 } from '../bytes/byte-writer.ts';
import { crc8, crc16High } from '../bytes/checksums.ts';

/** Samples of each channel in a frame, but for the last one. */
const FLAC_BLOCK = 4096;

/** Highest order of the fixed predictors. */
const ORDER_MAX = 4;
/** Largest Rice parameter: the next one is the escape code. */
const PARAMETER_MAX = 14;
/** Most parts of a block that have a Rice parameter each, as a power of two. */
const PARTITION_ORDER = 5;
const SAMPLE_BITS = 16;
const SCALE = 2 ** (SAMPLE_BITS - 1);
/** Codes of the usual block size, and of one that follows in 16 bits. */
const BLOCK_CODES = { usual: 0b1100, stated: 0b0111 } as const;
const RATE_CODES: ReadonlyMap<number, number> = new Map([
  [8000, 0b0100],
  [16_000, 0b0101],
  [22_050, 0b0110],
  [24_000, 0b0111],
  [32_000, 0b1000],
  [44_100, 0b1001],
  [48_000, 0b1010],
]);
/** Assignments of two channels, by which of left, right, middle and side are coded. */
const PAIRS = [
  { code: 0b0001, first: 0, second: 1 },
  { code: 0b1000, first: 0, second: 3 },
  { code: 0b1001, first: 3, second: 1 },
  { code: 0b1010, first: 2, second: 3 },
] as const;

/** One channel of a block, as whole numbers. */
interface Channel {
  readonly samples: Int32Array;
  readonly bits: number;
}

/**
 * Encodes 16-bit FLAC (RFC 9639): fixed predictors, the shorter of left, right, middle and side, and Rice codes. Samples
 * are rounded and limited to full scale as those of a WAV file are. Memory: one block.
 */
export class FlacEncoder {
  readonly #format: PcmFormat;
  readonly #pending: Int32Array[];
  #pendingCount = 0;
  #frames = 0;
  #samples = 0;
  #bytesMin = Number.POSITIVE_INFINITY;
  #bytesMax = 0;

  /** @param format one or two channels */
  constructor(format: PcmFormat) {
    this.#format = format;
    this.#pending = Array.from({ length: format.channelCount }, () => new Int32Array(FLAC_BLOCK));
  }

  /** Encodes a chunk, or with null what is left. Returns the frames that are complete by then. */
  encode(chunk: PcmChunk | null): Uint8Array<ArrayBuffer>[] {
    if (!chunk) return this.#pendingCount > 0 ? [this.#flush()] : [];
    const frames: Uint8Array<ArrayBuffer>[] = [];
    for (let at = 0, count = getFrameCount(chunk); at < count; ) {
      const taken = Math.min(count - at, FLAC_BLOCK - this.#pendingCount);
      for (const [channel, samples] of chunk.entries()) {
        const to = this.#pending[channel];
        for (let index = 0; index < taken; index++) {
          const scaled = Math.round(samples[at + index] * SCALE);
          to[this.#pendingCount + index] = Math.max(-SCALE, Math.min(SCALE - 1, scaled));
        }
      }
      this.#pendingCount += taken;
      at += taken;
      if (this.#pendingCount === FLAC_BLOCK) frames.push(this.#flush());
    }
    return frames;
  }

  /** Returns the head of the file, once all is encoded. */
  head(): Uint8Array<ArrayBuffer> {
    const { sampleRate, channelCount } = this.#format;
    const bits = new BitWriter(64);
    bits.put(FLAC_BLOCK, 16);
    bits.put(FLAC_BLOCK, 16);
    bits.put(this.#frames > 0 ? this.#bytesMin : 0, 24);
    bits.put(this.#bytesMax, 24);
    bits.put(sampleRate, 20);
    bits.put(channelCount - 1, 3);
    bits.put(SAMPLE_BITS - 1, 5);
    bits.put(Math.floor(this.#samples / 2 ** 32), 4);
    bits.put(this.#samples % 2 ** 32, 32);
    // Unknown: a checksum of all samples is optional.
    const digest = new Uint8Array(16);
    const info = concat([bits.end(), digest]);
    const last = 0x80;
    return concat([ascii('fLaC'), u32(last * 2 ** 24 + info.length), info]);
  }

  #flush(): Uint8Array<ArrayBuffer> {
    const block = this.#pending.map((samples) => samples.subarray(0, this.#pendingCount));
    const frame = writeFrame(block, this.#frames, this.#format.sampleRate);
    this.#frames += 1;
    this.#samples += this.#pendingCount;
    this.#bytesMin = Math.min(this.#bytesMin, frame.length);
    this.#bytesMax = Math.max(this.#bytesMax, frame.length);
    this.#pendingCount = 0;
    return frame;
  }
}

function writeFrame(
  block: readonly Int32Array[],
  number: number,
  sampleRate: number,
): Uint8Array<ArrayBuffer> {
  const size = block[0]?.length ?? 0;
  const { code, channels } = chooseChannels(block);
  const sizeCode = size === FLAC_BLOCK ? BLOCK_CODES.usual : BLOCK_CODES.stated;
  const head = concat([
    new Uint8Array([0xff, 0xf8, sizeCode * 16 + (RATE_CODES.get(sampleRate) ?? 0), code * 16 + 0b1000]),
    codedNumber(number),
    ...(sizeCode === BLOCK_CODES.stated ? [u16(size - 1)] : []),
  ]);
  const bits = new BitWriter(size * channels.length * 3);
  for (const channel of channels) writeChannel(bits, channel);
  const frame = concat([head, new Uint8Array([crc8(head)]), bits.end()]);
  return concat([frame, u16(crc16High(frame))]);
}

/** Chooses the channels that a frame codes. */
function chooseChannels(block: readonly Int32Array[]): { code: number; channels: readonly Channel[] } {
  const [left, right] = block;
  const plain = block.map((samples): Channel => ({ samples, bits: SAMPLE_BITS }));
  if (!left || !right || block.length !== 2) return { code: block.length - 1, channels: plain };
  const middle = left.map((sample, at) => (sample + right[at]) >> 1);
  const side = left.map((sample, at) => sample - right[at]);
  const all: Channel[] = [
    ...plain,
    { samples: middle, bits: SAMPLE_BITS },
    { samples: side, bits: SAMPLE_BITS + 1 },
  ];
  const costs = all.map(({ samples }) => Math.min(...residualSums(samples)));
  const cost = ({ first, second }: (typeof PAIRS)[number]) => costs[first] + costs[second];
  const best = PAIRS.reduce((least, pair) => (cost(pair) < cost(least) ? pair : least), PAIRS[0]);
  return { code: best.code, channels: [all[best.first] as Channel, all[best.second] as Channel] };
}

/** Returns the sum of absolute residuals by each fixed predictor, from order 0 on. */
function residualSums(samples: Int32Array): readonly number[] {
  const sums = new Array<number>(ORDER_MAX + 1).fill(0);
  let [one, two, three, four] = [0, 0, 0, 0];
  for (const sample of samples) {
    const first = sample - one;
    const second = first - two;
    const third = second - three;
    const fourth = third - four;
    sums[0] = sums[0] + Math.abs(sample);
    sums[1] = sums[1] + Math.abs(first);
    sums[2] = sums[2] + Math.abs(second);
    sums[3] = sums[3] + Math.abs(third);
    sums[4] = sums[4] + Math.abs(fourth);
    [one, two, three, four] = [sample, first, second, third];
  }
  return sums;
}

function writeChannel(bits: BitWriter, { samples, bits: sampleBits }: Channel): void {
  if (samples.every((sample) => sample === samples[0])) {
    bits.put(0, 8);
    bits.putSigned(samples[0] ?? 0, sampleBits);
    return;
  }
  const sums = residualSums(samples);
  const orders = sums.map((_, order) => order).filter((order) => order < samples.length);
  const order = orders.reduce((least, each) => (sums[each] < sums[least] ? each : least), 0);
  bits.put((0b001000 + order) * 2, 8);
  for (const sample of samples.subarray(0, order)) bits.putSigned(sample, sampleBits);
  writeResidual(bits, differences(samples, order), samples.length, order);
}

/** Returns the differences of an order: the residual of its fixed predictor. */
function differences(samples: Int32Array, order: number): Int32Array {
  const residual = Int32Array.from(samples);
  for (let pass = 1; pass <= order; pass++) {
    for (let at = residual.length - 1; at >= pass; at--) residual[at] = residual[at] - residual[at - 1];
  }
  return residual.subarray(order);
}

function writeResidual(bits: BitWriter, residual: Int32Array, size: number, order: number): void {
  const isDivided = size % 2 ** PARTITION_ORDER === 0 && size >> PARTITION_ORDER > order;
  const partitionOrder = isDivided ? PARTITION_ORDER : 0;
  bits.put(0, 2);
  bits.put(partitionOrder, 4);
  const length = size >> partitionOrder;
  for (let part = 0, from = 0; part < 2 ** partitionOrder; part++) {
    const until = (part + 1) * length - order;
    const values = residual.subarray(from, until);
    const parameter = riceParameter(values);
    bits.put(parameter, 4);
    for (const value of values) bits.putRice(value < 0 ? -2 * value - 1 : 2 * value, parameter);
    from = until;
  }
}

/** Returns the Rice parameter that suits the mean of some values. */
function riceParameter(values: Int32Array): number {
  let sum = 0;
  for (const value of values) sum += 2 * Math.abs(value);
  const mean = sum / Math.max(1, values.length);
  return Math.max(0, Math.min(PARAMETER_MAX, Math.ceil(Math.log2((mean + 1) * Math.LN2))));
}

/** Codes a number as UTF-8 codes a character, up to 36 bits. */
function codedNumber(number: number): Uint8Array<ArrayBuffer> {
  if (number < 0x80) return new Uint8Array([number]);
  const rest: number[] = [];
  let left = number;
  // Each following byte takes a bit of the first one.
  for (let room = 6; left >= 2 ** room; room--) {
    rest.unshift(0x80 + (left % 64));
    left = Math.floor(left / 64);
  }
  const marks = 0xff - (2 ** (7 - rest.length) - 1);
  return new Uint8Array([marks + left, ...rest]);
}

/** Writes bits, the highest first. */
class BitWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;
  #bits = 0;
  #count = 0;

  constructor(room: number) {
    this.#bytes = new Uint8Array(room);
  }

  /** @param width at most 32 */
  put(value: number, width: number): void {
    if (width > 16) {
      this.put(Math.floor(value / 2 ** 16) % 2 ** 16, width - 16);
      this.put(value % 2 ** 16, 16);
      return;
    }
    this.#bits = (this.#bits << width) | value;
    this.#count += width;
    while (this.#count >= 8) {
      this.#count -= 8;
      this.#push((this.#bits >>> this.#count) & 0xff);
    }
    this.#bits &= 0xff;
  }

  putSigned(value: number, width: number): void {
    this.put(value < 0 ? value + 2 ** width : value, width);
  }

  putRice(value: number, parameter: number): void {
    let zeros = value >>> parameter;
    for (; zeros >= 16; zeros -= 16) this.put(0, 16);
    this.put(1, zeros + 1);
    if (parameter > 0) this.put(value & (2 ** parameter - 1), parameter);
  }

  /** Returns all bytes, the last one filled with zeros. */
  end(): Uint8Array<ArrayBuffer> {
    if (this.#count > 0) this.put(0, 8 - this.#count);
    return this.#bytes.slice(0, this.#length);
  }

  #push(byte: number): void {
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#length + 16);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#length++] = byte;
  }
}
