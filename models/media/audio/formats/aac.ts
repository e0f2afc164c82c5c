import { BitReader } from '../../bytes/bit-reader.ts';

/** Bits of the channel mask of WAVEFORMATEXTENSIBLE. */
const [FRONT_PAIR, CENTRE, EFFECTS, BACK_PAIR, INNER_PAIR, BACK_CENTRE, SIDE_PAIR] = [
  0x3, 0x4, 0x8, 0x30, 0xc0, 0x100, 0x600,
];

/** Channels of AAC that are listed one by one. */
interface ProgramConfig {
  readonly channelCount: number;
  /** Speakers of the channels, in whose order decoders return them; null where there is no such order. */
  readonly channelMask: number | null;
}

/** Elements of a place: pairs of channels, and single ones. */
type Elements = readonly ('pair' | 'single')[];

/** Sample rates of AAC by their code: ISO 14496-3, 1.6.3.4. */
export const AAC_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
];

/** Channel masks by the channel configuration of AAC: ISO 14496-3, table 1.19. */
const MASKS: Readonly<Record<number, number>> = {
  3: 0x7,
  4: 0x107,
  5: 0x37,
  6: 0x3f,
  // By the standard two of its pairs are in front; encoders mean the sides, and decoders follow them.
  7: 0x63f,
  11: 0x13f,
  12: 0x63f,
};

const ESCAPE_TYPE = 31;
const ESCAPE_RATE = 15;
const ESCAPE_RATE_BITS = 24;
/** Object types that another one follows: SBR and PS, which enlarge it. */
const ENLARGING_TYPES = [5, 29];

/**
 * Reads the channel mask of an AudioSpecificConfig (ISO 14496-3, 1.6.2.1), in whose order decoders return the channels;
 * null where it has no such order, or is for one or two channels.
 */
export function readAacMask(config: Uint8Array): number | null {
  const { channels } = readFields(config);
  return channels > 0 ? (MASKS[channels] ?? null) : (readListedChannels(config)?.channelMask ?? null);
}

/** Reads the channels that an AudioSpecificConfig lists one by one; null where it states them by a number. */
export function readListedChannels(config: Uint8Array): ProgramConfig | null {
  const { channels, reader } = readFields(config);
  if (channels > 0) return null;
  // Length of frames, core coder with its delay, and extensions: 4.4.1.
  reader.skip(1);
  if (reader.bit()) reader.skip(14);
  reader.skip(1);
  return readProgramConfig(reader);
}

/** Reads the code of the channels, and what precedes the configuration of the coder. */
function readFields(config: Uint8Array) {
  const reader = new BitReader(config);
  const type = readType(reader);
  readRate(reader);
  const channels = reader.bits(4);
  if (ENLARGING_TYPES.includes(type)) {
    readRate(reader);
    readType(reader);
  }
  return { channels, reader };
}

function readType(reader: BitReader): number {
  const type = reader.bits(5);
  return type === ESCAPE_TYPE ? 32 + reader.bits(6) : type;
}

function readRate(reader: BitReader): void {
  if (reader.bits(4) === ESCAPE_RATE) reader.skip(ESCAPE_RATE_BITS);
}

/** Reads a program_config_element, behind its id: ISO 14496-3, 4.5.1.2. Null where it has no channels. */
export function readProgramConfig(reader: BitReader): ProgramConfig | null {
  // Tag, object type and rate.
  reader.skip(10);
  const [front, side, back] = [reader.bits(4), reader.bits(4), reader.bits(4)];
  const effects = reader.bits(2);
  reader.skip(7);
  // Mixes to mono, to stereo, and by a matrix.
  for (const bits of [4, 4, 3]) if (reader.bit()) reader.skip(bits);
  const getList = (count = 0): Elements =>
    Array.from({ length: count }, () => {
      const element = reader.bit() ? 'pair' : 'single';
      reader.skip(4);
      return element;
    });
  const places = [getList(front), getList(side), getList(back)] as const;
  const channelCount = places.flat().reduce((sum, element) => sum + (element === 'pair' ? 2 : 1), effects);
  if (channelCount === 0) return null;
  const isUnsorted = places[0].join(' ') === 'pair single';
  return {
    channelCount,
    channelMask: isUnsorted ? listedMask(places, effects) : sortedMask(places, effects),
  };
}

/** Returns the mask of channels that decoders put in its order; null for elements without a place. */
function sortedMask(
  [front, side, back]: readonly [Elements, Elements, Elements],
  effects: number,
): number | null {
  const fronts: Readonly<Record<string, number>> = {
    single: CENTRE,
    pair: FRONT_PAIR,
    'single pair': CENTRE + FRONT_PAIR,
    'pair pair': FRONT_PAIR + INNER_PAIR,
    'single pair pair': CENTRE + FRONT_PAIR + INNER_PAIR,
  };
  const sides: Readonly<Record<string, number>> = { '': 0, pair: SIDE_PAIR };
  const backs: Readonly<Record<string, number>> = {
    '': 0,
    pair: BACK_PAIR,
    single: BACK_CENTRE,
    'pair single': BACK_PAIR + BACK_CENTRE,
  };
  const masks = [
    fronts[front.join(' ')],
    sides[side.join(' ')],
    backs[back.join(' ')],
    [0, EFFECTS][effects],
  ];
  return masks.reduce<number | null>(
    (sum, mask) => (sum === null || mask === undefined ? null : sum + mask),
    0,
  );
}

/**
 * Returns a mask whose order is that of the elements: with a pair in front before the centre, as FFmpeg's encoder
 * lists them, decoders keep the order. A single element at the side is its bass effects. Pairs behind count alike in a
 * mix, at the side and at the back.
 */
function listedMask([, side, back]: readonly [Elements, Elements, Elements], effects: number): number | null {
  const behind = [...side, ...back].join(' ');
  const masks: Readonly<Record<string, number>> = {
    '': effects === 1 ? EFFECTS : 0,
    single: side.length === 1 ? EFFECTS : BACK_CENTRE,
    pair: BACK_PAIR,
    'pair pair': BACK_PAIR + SIDE_PAIR,
    'pair single': BACK_PAIR + BACK_CENTRE,
    'single pair': EFFECTS + BACK_PAIR,
    'single single': EFFECTS + BACK_CENTRE,
    'single pair pair': EFFECTS + BACK_PAIR + SIDE_PAIR,
  };
  const isLast = effects > 0 && behind !== '';
  const mask = masks[behind];
  return mask === undefined || isLast ? null : FRONT_PAIR + CENTRE + mask;
}
