import type { DecodeOptions, ImageMetadata, Picture } from '../../../core/runtime/image-codec.ts';
import { firstFrame, straightenAlpha } from '../../../kernels/raster/picture.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { readColours, recolourPicture, type SampleColours } from '../colours.ts';
import { getFormat } from '../find-format.ts';
import { isLinearInShadows, profileSpace, readMatrixProfile } from '../metadata/read-profile.ts';
import { readMetadata } from '../metadata.ts';
import { uncompressedTiff } from '../tiff/uncompressed-tiff.ts';
import type { ImageEngines } from './image-engines.ts';
import type { Libvips } from './libvips.ts';
import { isRgbProfile, LibvipsPicture, openWithLibvips } from './libvips-picture.ts';

/** Limit on a profile or XMP, unpacked. */
const METADATA_BYTES_MAX = 16_000_000;

/** Limit on an image that is converted in memory. */
const CONVERTED_PIXELS_MAX = 25_000_000;

/** Reads the metadata of a file. */
export function readOwnMetadata(file: Bytes, format: string, { inflate }: Pick<ImageEngines, 'inflate'>) {
  return readMetadata(file, format, (packed) => inflate(packed, METADATA_BYTES_MAX));
}

/**
 * Opens a file with libvips, in the colours that it states: libvips knows those of an ICC profile only.
 * @throws OperationError `unprocessable`
 */
export async function openColoured(
  file: Bytes,
  format: string,
  options: DecodeOptions,
  engines: ImageEngines,
): Promise<Picture> {
  const libvips = await engines.loadLibvips();
  const { metadata } = await readOwnMetadata(file, format, engines);
  const colours = await readColours(file, format, metadata);
  const { replaceProfile, isPremultiplied } = await getFormat(format).load();
  if (isPremultiplied?.(file)) {
    // Colours are converted once they are divided: curves hold for straight ones only.
    const stored = await openWithLibvips(libvips, file, format, { ...options, colour: 'own' }, metadata);
    const { icc: _, ...others } = stored.metadata;
    return applyColours({ ...straightenAlpha(stored), metadata: others }, colours, options, engines);
  }
  // With a profile in the file, libvips can convert it strip by strip.
  const stated = colours.kind === 'stated' ? replaceProfile?.(file, colours.icc) : null;
  const isOutranked = metadata.icc !== undefined && colours.kind !== 'profile';
  const plain = isOutranked && !stated ? replaceProfile?.(file, undefined) : null;
  const coloured = stated ?? plain ?? file;
  const { icc: own, ...others } = metadata;
  const icc = stated && 'icc' in colours ? colours.icc : plain ? undefined : own;
  const picture = await openWithLibvips(libvips, coloured, format, options, {
    ...others,
    ...(icc && { icc }),
  });
  const hasProfile = Boolean(stated) || colours.kind === 'profile';
  if (hasProfile && 'icc' in colours && isConvertedWrong(colours.icc, picture, options)) {
    return openAsStored(libvips, coloured, format, { ...metadata, icc: colours.icc }, options);
  }
  return hasProfile ? picture : recolourPicture(picture, colours, options);
}

/**
 * Reports whether libvips converts an image wrong. Of those with 16 bits per sample sharp leaves out grey. Where dark
 * samples are bright, its colour engine tints grey, and with 16 bits is off by up to 15 of 255 levels.
 */
function isConvertedWrong(
  icc: Bytes,
  { bitDepth, width, height, frameCount }: Picture,
  options: DecodeOptions,
): boolean {
  if (profileSpace(icc) === 'GRAY') return bitDepth === 16;
  const matrix = options.colour === 'srgb' ? readMatrixProfile(icc) : null;
  const isSmall = width * height * frameCount <= CONVERTED_PIXELS_MAX;
  return matrix !== null && isSmall && isLinearInShadows(matrix);
}

/** Opens a file with its samples as they stand, and converts them from a profile. */
async function openAsStored(
  libvips: Libvips,
  file: Bytes,
  format: string,
  found: ImageMetadata & { readonly icc: Bytes },
  options: DecodeOptions,
): Promise<Picture> {
  const { icc } = found;
  const picture = await openWithLibvips(libvips, file, format, { ...options, colour: 'own' }, found);
  const { icc: _, ...metadata } = picture.metadata;
  return { ...recolourPicture(picture, { kind: 'stated', icc }, options), metadata };
}

interface SampleFacts extends Pick<Picture, 'width' | 'height' | 'hasAlpha' | 'metadata' | 'warnings'> {
  readonly channels: 3 | 4;
  /** Defaults to 8. Samples of 16 bits are little-endian. */
  readonly bitsPerSample?: 8 | 16;
}

/**
 * Opens an image of samples from another decoder. They go to libvips as an uncompressed TIFF: the one way to pass
 * samples with their colour profile that costs no compression and no checksum.
 * @param fill writes the samples, row by row without padding
 */
export function openSamples(
  libvips: Libvips,
  facts: SampleFacts,
  options: DecodeOptions,
  fill: (samples: Bytes) => void,
): LibvipsPicture {
  const { width, height, channels, hasAlpha, metadata, bitsPerSample = 8 } = facts;
  const icc = isRgbProfile(metadata.icc) ? metadata.icc : undefined;
  const { file, samples } = uncompressedTiff({ width, height, channels, bitsPerSample, icc });
  fill(samples);
  const keepsProfile = options.colour === 'own' && icc !== undefined;
  const { icc: _, ...withoutIcc } = metadata;
  return new LibvipsPicture(
    {
      width,
      height,
      frameCount: 1,
      loopCount: 0,
      hasAlpha,
      bitDepth: bitsPerSample,
      metadata: keepsProfile ? metadata : withoutIcc,
      ...(facts.warnings && { warnings: facts.warnings }),
    },
    {
      libvips,
      source: { kind: 'file', file, keepsProfile },
      dropsAlpha: channels === 4 && !hasAlpha,
      isDeepProfiled: bitsPerSample === 16 && icc !== undefined && !keepsProfile,
    },
  );
}

/**
 * Gives an image that another decoder read, without regard to its colours, those that the file states: in a profile or
 * outside of one.
 */
export async function applyColours(
  picture: Picture,
  colours: SampleColours,
  options: DecodeOptions,
  engines: ImageEngines,
): Promise<Picture> {
  if (colours.kind !== 'profile') return recolourPicture(picture, colours, options);
  const { icc } = colours;
  // A profile of curves needs no colour engine.
  if (readMatrixProfile(icc) || (options.colour === 'own' && isRgbProfile(icc)))
    return recolourPicture(picture, { kind: 'stated', icc }, options);
  const libvips = await engines.loadLibvips();
  const { hasAlpha, warnings } = picture;
  const facts = { channels: 4, hasAlpha, metadata: { ...picture.metadata, icc } } as const;
  const open = ({ width, height, data }: Awaited<ReturnType<typeof firstFrame>>) =>
    openSamples(
      libvips,
      {
        ...facts,
        width,
        height,
        bitsPerSample: data instanceof Uint16Array ? 16 : 8,
        ...(warnings && { warnings }),
      },
      options,
      (samples) => samples.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength)),
    );
  if (picture.frameCount === 1) return open(await firstFrame(picture));
  return {
    ...picture,
    async *frames(wanted) {
      for await (const frame of picture.frames(wanted)) {
        const { data } = await firstFrame(open(frame));
        yield { ...frame, data };
      }
    },
  };
}
