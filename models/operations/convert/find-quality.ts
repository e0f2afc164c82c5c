/** Encodings of one image for a file of a limited size. */
export const ENCODINGS_MAX = 7;
const LOWEST = 1;
/** Points of quality that halve a file, as a first guess. */
const POINTS_PER_HALF = 16;

/** Encoded file, and the quality that made it. */
interface Encoded {
  readonly quality: number;
  readonly blob: Blob;
}

/**
 * Searches the highest quality, at most the given one, whose file is no larger than a limit, by at most `ENCODINGS_MAX`
 * encodings: it guesses by the sizes so far, and stays where halving would still end in time.
 * @param encode receives the share of the encodings that are done, 0 to 1
 * @returns the file; that of the lowest quality where none fits
 */
export async function findQuality(
  { quality, bytesMax }: { readonly quality: number; readonly bytesMax: number },
  encode: (quality: number, done: number) => Promise<Blob>,
): Promise<Encoded> {
  let done = 0;
  const tryQuality = async (asked: number): Promise<Encoded> => {
    const blob = await encode(asked, done / ENCODINGS_MAX);
    done++;
    return { quality: asked, blob };
  };
  let above = await tryQuality(quality);
  if (above.blob.size <= bytesMax) return above;
  let below: Encoded | undefined;
  while (done < ENCODINGS_MAX) {
    const guess = guessQuality({ above, below, bytesMax }, ENCODINGS_MAX - done);
    if (guess === undefined) break;
    const tried = await tryQuality(guess);
    if (tried.blob.size <= bytesMax) below = tried;
    else above = tried;
  }
  return below ?? above;
}

interface Bracket {
  /** Known to be too large. */
  readonly above: Encoded;
  /** Known to fit. */
  readonly below: Encoded | undefined;
  readonly bytesMax: number;
}

/** Returns a whole quality between the ends of a bracket; undefined when none is left. */
function guessQuality({ above, below, bytesMax }: Bracket, encodingsLeft: number): number | undefined {
  const low = (below?.quality ?? LOWEST - 1) + 1;
  const high = Math.ceil(above.quality) - 1;
  if (low > high) return undefined;
  // Some file must be found in the end.
  if (encodingsLeft === 1 && !below) return LOWEST;
  const excess = Math.log2(above.blob.size / bytesMax);
  const points = below
    ? ((above.quality - below.quality) * excess) / Math.log2(above.blob.size / below.blob.size)
    : POINTS_PER_HALF * excess;
  const guess = Math.floor(above.quality - points);
  // What remains on either side of a guess must be searchable by halving, but for one quality.
  const reach = 2 ** encodingsLeft - 1;
  return Math.min(high, low + reach, Math.max(low, high - reach, guess));
}
