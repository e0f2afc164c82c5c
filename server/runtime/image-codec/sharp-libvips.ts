import sharp, { type Metadata, type Sharp } from 'sharp';
import type { Geometry, Rgba } from '../../../models/core/runtime/raster.ts';
import { isWhole } from '../../../models/kernels/raster/transform-picture.ts';
import type {
  FileSource,
  Libvips,
  LibvipsHead,
  LibvipsPlan,
  LibvipsWriting,
  SampleSource,
} from '../../../models/media/image/codec/libvips.ts';

/** libvips on the server: sharp carries the plans out. Its own order of steps is that of a plan. */
export const sharpLibvips: Libvips = {
  async readHead(file, pages = 'first') {
    return toHead(await sharp(file, { limitInputPixels: false, pages: pages === 'all' ? -1 : 1 }).metadata());
  },
  async render(plan) {
    const { size, geometry, background, alpha, depth, isDeepProfiled, write } = plan;
    const pipeline = open(plan).toColourspace(depth === 16 ? 'rgb16' : 'srgb');
    // The filter of our own kernels, over whole samples.
    if (size) pipeline.resize({ ...size, fit: 'fill', kernel: 'linear', fastShrinkOnLoad: false });
    if (geometry) changeGeometry(pipeline, geometry);
    if (background)
      pipeline.flatten({ background: { r: background[0], g: background[1], b: background[2] } });
    if (alpha === 'dropped') pipeline.removeAlpha();
    if (alpha === 'added') pipeline.ensureAlpha();
    // Unless told, sharp leaves the samples in Display P3.
    if (isDeepProfiled) pipeline.withIccProfile('srgb', { attach: false });
    const bytes = await save(pipeline, write, plan).toBuffer();
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  },
};

/**
 * Changes geometry. Sharp scales first, then mirrors, then turns, and paints before all of that. A JPEG is reduced in
 * decoding to twice the size at least.
 */
function changeGeometry(pipeline: Sharp, geometry: Geometry): void {
  const { crop, orientation, scaled, kept, canvas, pad, background } = geometry;
  const { quarterTurns, isMirrored } = orientation;
  const isOnSide = quarterTurns % 2 === 1;
  if (crop) pipeline.extract(crop);
  pipeline.resize({
    width: isOnSide ? scaled.height : scaled.width,
    height: isOnSide ? scaled.width : scaled.height,
    ...{ fit: 'fill', kernel: 'lanczos3', fastShrinkOnLoad: false },
  });
  if (isMirrored) pipeline.flop();
  const turns = isMirrored ? (4 - quarterTurns) % 4 : quarterTurns;
  if (turns > 0) pipeline.rotate(turns * 90);
  if (!isWhole(kept, scaled)) pipeline.extract(kept);
  if (background) pipeline.flatten({ background: toSharpColour(background) });
  const { left, top } = canvas;
  const [right, bottom] = [canvas.width - left - kept.width, canvas.height - top - kept.height];
  pipeline.extend({ left, top, right, bottom, background: toSharpColour(pad) });
}

function toSharpColour([r, g, b, alpha]: Rgba): { r: number; g: number; b: number; alpha: number } {
  return { r: Math.round(r * 255), g: Math.round(g * 255), b: Math.round(b * 255), alpha };
}

function toHead(head: Metadata): LibvipsHead {
  return {
    width: head.width,
    height: head.height,
    pageHeight: head.pageHeight,
    pages: head.pages ?? 1,
    loopCount: head.loop ?? 0,
    delaysMs: head.delay ?? [],
    hasAlpha: head.hasAlpha,
    depth: head.depth,
    isOnSide: (head.orientation ?? 1) > 4,
  };
}

function open({ source }: LibvipsPlan): Sharp {
  return source.kind === 'file' ? openFile(source) : openSamples(source);
}

function openFile({ file, pages = 1, page, keepsProfile, pixelsMax, failOn }: FileSource): Sharp {
  return sharp(file, {
    pages,
    // Without it, sharp takes the primary image of a HEIF file.
    ...(page !== undefined && { page }),
    autoOrient: true,
    failOn,
    ignoreIcc: keepsProfile,
    limitInputPixels: pixelsMax ?? false,
    sequentialRead: true,
  });
}

function openSamples({ data, width, height, pageHeight }: SampleSource): Sharp {
  return sharp(data, { raw: { width, height, channels: 4, pageHeight }, limitInputPixels: false });
}

function save(pipeline: Sharp, write: LibvipsWriting, { depth }: LibvipsPlan): Sharp {
  switch (write.format) {
    case 'raw':
      return pipeline.raw({ depth: depth === 16 ? 'ushort' : 'uchar' });
    case 'png':
      return pipeline.png({
        compressionLevel: write.compression,
        adaptiveFiltering: write.isFiltered,
        // An effort alone makes sharp write a palette.
        ...(write.paletteBits && { colours: 2 ** write.paletteBits, effort: write.paletteEffort }),
      });
    case 'gif': {
      const { paletteBits, delay, ...options } = write;
      return pipeline.gif({
        ...options,
        ...withDelay(delay),
        ...(paletteBits && { colours: 2 ** paletteBits }),
      });
    }
    case 'webp': {
      const { delay, ...options } = write;
      return pipeline.webp({ ...options, ...withDelay(delay) });
    }
    case 'jpeg':
      return pipeline.jpeg(write);
    case 'tiff':
      return pipeline.tiff({ compression: 'deflate', predictor: 'horizontal' });
    case 'avif':
      return pipeline.avif(write);
  }
}

function withDelay(delay: readonly number[] | undefined): { delay?: number[] } {
  return delay ? { delay: [...delay] } : {};
}
