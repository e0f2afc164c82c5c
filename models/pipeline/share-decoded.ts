import type { DecodeOptions, EncodeOptions, ImageCodec, Picture } from '../core/runtime/image-codec.ts';
import { getFormat, getImageFormat, SIGNATURE_BYTES } from '../media/image/find-format.ts';
import { countFrames } from '../media/image/read-contents.ts';

/** Pixels of an image, in all its frames, up to which it is held decoded for several steps. */
const HELD_PIXELS_MAX = 25_000_000;
/** Pixels of all images that are held at the same time: memory must not grow with the steps. */
const ALL_PIXELS_MAX = 2 * HELD_PIXELS_MAX;

/** Image of a file, for some ways to decode that. */
interface HeldPicture {
  readonly file: Blob;
  readonly ways: readonly string[];
  readonly picture: Picture;
}

interface Sharing {
  /** Reports whether several steps read a file. */
  readonly isShared: (file: Blob) => boolean;
  /** Reports whether only other steps read the files of the step that runs. */
  readonly isBetween: () => boolean;
}

/**
 * Returns a codec that decodes a shared file once for all steps that read it alike, and passes what one step encodes
 * for others decoded, where an image is small enough to hold.
 */
export function shareDecoded(images: ImageCodec, { isShared, isBetween }: Sharing): ImageCodec {
  /** The one that was used last is the last. */
  let held: readonly HeldPicture[] = [];
  const keep = (picture: HeldPicture): void => {
    held = [...held.filter((each) => each !== picture), picture];
    while (held.reduce((sum, each) => sum + countPixels(each.picture), 0) > ALL_PIXELS_MAX)
      held = held.slice(1);
  };
  return {
    ...images,
    async encode(picture, options) {
      if (!isBetween() || !isPassed(picture, options)) return images.encode(picture, options);
      const passed = await images.hold(picture);
      const file = await images.encode(passed, { ...options, tuning: { effort: 0 } });
      keep({ file, ways: ['first srgb', 'first own'], picture: passed });
      return file;
    },
    async decode(input: Blob, options: DecodeOptions) {
      if (!isShared(input) && !held.some(({ file }) => file === input)) return images.decode(input, options);
      // All frames of a still image are its first.
      const frames = options.frames === 'all' && (await isStill(input)) ? 'first' : options.frames;
      const way = `${frames} ${options.colour}`;
      const known = held.find(({ file, ways }) => file === input && ways.includes(way));
      if (known) {
        keep(known);
        return known.picture;
      }
      const picture = await images.decode(input, { ...options, frames });
      if (picture.strips || countPixels(picture) > HELD_PIXELS_MAX) return picture;
      const made = { file: input, ways: [way], picture: await images.hold(picture) };
      keep(made);
      return made.picture;
    },
  };
}

function countPixels({ width, height, frameCount }: Picture): number {
  return width * height * frameCount;
}

/** Reports whether the file of an image is the image alone, without loss: a reader needs no more than its samples. */
function isPassed(picture: Picture, { format, metadata, tuning }: EncodeOptions): boolean {
  const { width, height, frameCount, strips, warnings = [] } = picture;
  const isBare = [metadata, picture.metadata].every((each) => Object.keys(each).length === 0);
  const isSmall = frameCount === 1 && !strips && width * height <= HELD_PIXELS_MAX;
  return format === 'png' && isBare && isSmall && warnings.length === 0 && tuning === undefined;
}

/** Reports whether a file has one image, by its structure. */
async function isStill(input: Blob): Promise<boolean> {
  const format = getImageFormat(new Uint8Array(await input.slice(0, SIGNATURE_BYTES).arrayBuffer()));
  const hasPages = format !== null && getFormat(format).holds.several === 'pages';
  return !hasPages && (await countFrames(input)) === 1;
}
