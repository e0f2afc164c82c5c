import sharp from 'sharp';
import type { DecodeOptions, ImageMetadata, Picture } from '../../../models/core/runtime/image-codec.ts';
import type { Frame } from '../../../models/core/runtime/raster.ts';
import type { RunWarning } from '../../../models/core/runtime/run-warnings.ts';
import { firstFrame } from '../../../models/kernels/picture/first-frame.ts';
import type { SampleColours } from '../../../models/media/image/colour/read-colours.ts';
import { recolourPicture } from '../../../models/media/image/colour/recolour-picture.ts';
import { readMatrixProfile } from '../../../models/media/image/icc/read-profile.ts';
import { uncompressedTiff } from '../../../models/media/image/tiff/uncompressed-tiff.ts';
import { fromDisplayP3, isRgbProfile, SharpPicture } from './sharp-picture.ts';

interface SampleFacts {
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  readonly hasAlpha: boolean;
  readonly metadata: ImageMetadata;
  /** Warnings of its decoder; none when absent. */
  readonly warnings?: readonly RunWarning[];
  /** Defaults to 8. Samples of 16 bits are little-endian. */
  readonly bitsPerSample?: 8 | 16;
}

/**
 * Opens an image of samples from another decoder. They go to sharp as an uncompressed TIFF: the one way to pass
 * samples with their colour profile that costs no compression and no checksum.
 * @param fill writes the samples, row by row without padding
 */
export function openSamples(
  facts: SampleFacts,
  options: DecodeOptions,
  fill: (samples: Uint8Array<ArrayBuffer>) => void,
): SharpPicture {
  const { width, height, channels, hasAlpha, metadata, warnings = [], bitsPerSample = 8 } = facts;
  const icc = isRgbProfile(metadata.icc) ? metadata.icc : undefined;
  const { file, samples } = uncompressedTiff({ width, height, channels, bitsPerSample, icc });
  fill(samples);
  const isOwnColour = options.colour === 'own' && icc !== undefined;
  const { icc: _, ...withoutIcc } = metadata;
  return new SharpPicture(
    {
      width,
      height,
      frameCount: 1,
      loopCount: 0,
      hasAlpha,
      bitDepth: bitsPerSample,
      metadata: isOwnColour ? metadata : withoutIcc,
      delaysMs: [],
      warnings,
    },
    () => {
      const pipeline = sharp(file, { ignoreIcc: isOwnColour, limitInputPixels: false, sequentialRead: true });
      const shaped = channels === 4 && !hasAlpha ? pipeline.removeAlpha() : pipeline;
      return bitsPerSample === 16 && icc && !isOwnColour ? fromDisplayP3(shaped) : shaped;
    },
  );
}

/**
 * Gives an image that one of our own decoders read, without regard to its colours, those that the file states: in a
 * profile or outside of one.
 */
export async function applyColours(
  picture: Picture,
  colours: SampleColours,
  options: DecodeOptions,
): Promise<Picture> {
  if (colours.kind !== 'profile') return recolourPicture(picture, colours, options);
  const { icc } = colours;
  // A profile of curves needs no colour engine.
  if (readMatrixProfile(icc) || (options.colour === 'own' && isRgbProfile(icc)))
    return recolourPicture(picture, { kind: 'stated', icc }, options);
  const profiled = { ...picture, metadata: { ...picture.metadata, icc } };
  if (picture.frameCount === 1) return openFrame(await firstFrame(picture), profiled, options);
  return {
    ...picture,
    async *frames(wanted) {
      for await (const frame of picture.frames(wanted)) {
        const { data } = await firstFrame(openFrame(frame, profiled, options));
        yield { ...frame, data };
      }
    },
  };
}

function openFrame(
  { width, height, data }: Frame,
  { hasAlpha, metadata, warnings = [] }: Picture,
  options: DecodeOptions,
): SharpPicture {
  const bitsPerSample = data instanceof Uint16Array ? 16 : 8;
  const facts = { width, height, channels: 4, hasAlpha, metadata, bitsPerSample, warnings } as const;
  return openSamples(facts, options, (samples) =>
    samples.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength)),
  );
}
