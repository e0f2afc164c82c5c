import type { DecodeOptions, ImageMetadata, Picture } from '../../../core/runtime/image-codec.ts';
import type { ImageSize, Raster } from '../../../core/runtime/raster.ts';
import { formatWarning, type RunWarning } from '../../../core/runtime/run-warnings.ts';
import { assertAnimationFits } from '../../../kernels/picture/assert-animation-fits.ts';
import { type Orientation, orientRaster } from '../../../kernels/raster/orient-raster.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { chooseTiffDecoder, isLibraryKind, isOwnKind } from './choose-decoder.ts';
import { damagedTiff } from './damaged-tiff.ts';
import { assertDistinctPages, decodePage, type InflateWithin } from './decode-page.ts';
import { PHOTOMETRIC, readTiffPage, type TiffPage } from './page-layout.ts';
import { pageOffsets } from './pages.ts';
import { hasAlphaChannel } from './pixel-writer.ts';

/** Pages of a TIFF that one decoder reads. */
export interface TiffPlan {
  /** Pages as our own decoder reads them; null for those that are left to libraries, which read them right. */
  readonly own: OwnPages | null;
  /** Pages that libraries should read. */
  readonly frames: DecodeOptions['frames'];
  /** Loss of the other pages, where all are wanted. */
  readonly warnings: readonly RunWarning[];
}

export interface OwnPages extends ImageSize {
  readonly count: number;
  readonly hasAlpha: boolean;
  /** Whether their samples are sRGB already, whatever the file says about its colours. */
  readonly isSrgb: boolean;
  /** First page: upright, 16 bits per sample. */
  readonly first: Raster;
  /** Decodes the pages in order, upright, with 16 bits per sample. */
  rasters(): AsyncIterable<Raster>;
}

interface OwnDecoding {
  readonly frames: DecodeOptions['frames'];
  readonly orientation: Orientation;
  readonly inflate: InflateWithin;
}

/**
 * Chooses which pages of a TIFF are read, and by which decoder: all where libraries read all, or our own decoder does;
 * else the first one.
 * @throws OperationError `unprocessable` when nobody reads the first page right, saying what it is, and for damage
 */
export async function planTiffPages(file: Bytes, decoding: OwnDecoding): Promise<TiffPlan> {
  const page = readTiffPage(file);
  if (!page) return { own: null, frames: decoding.frames, warnings: [] };
  const decoder = chooseTiffDecoder(page);
  const others = decoding.frames === 'all' ? readOthers(file) : [];
  const areAlike = others.every((other) => other !== null && isAlike(other, page));
  const pages = [page, ...others.filter((other) => other !== null)];
  if (areAlike && pages.every(isLibraryKind)) return { own: null, frames: decoding.frames, warnings: [] };
  const areOwn = areAlike && pages.every(isOwnKind);
  const warnings =
    areOwn || others.length === 0 ? [] : [formatWarning('first_page', String(1 + others.length))];
  if (decoder === 'library' && !areOwn) return { own: null, frames: 'first', warnings };
  return { own: await openOwnPages(file, areOwn ? pages : [page], decoding), frames: 'first', warnings };
}

/** @throws OperationError `unprocessable` when pages share what is stored once for each, so that it is read often */
function readOthers(file: Bytes): (TiffPage | null)[] {
  let numbers = 0;
  return pageOffsets(file)
    .slice(1)
    .map((offset) => {
      const page = readTiffPage(file, offset);
      numbers += page ? page.offsets.length + page.byteCounts.length : 0;
      if (numbers > file.length) throw damagedTiff('its pages overlap');
      return page;
    });
}

/** Reports whether two pages can be frames of one image. */
function isAlike(one: TiffPage, other: TiffPage): boolean {
  return one.width === other.width && one.height === other.height && isLab(one) === isLab(other);
}

function isLab({ photometric }: TiffPage): boolean {
  return photometric === PHOTOMETRIC.cieLab || photometric === PHOTOMETRIC.iccLab;
}

async function openOwnPages(
  file: Bytes,
  pages: readonly TiffPage[],
  { orientation, inflate }: OwnDecoding,
): Promise<OwnPages> {
  const [firstPage, ...others] = pages;
  if (!firstPage) throw damagedTiff('it has no pages');
  if (others.length > 0) {
    assertAnimationFits(firstPage, pages.length);
    assertDistinctPages(file, pages);
  }
  const decode = async (page: TiffPage): Promise<Raster> => {
    const { width, height, data } = await decodePage(file, page, inflate);
    return orientRaster({ width, height, data }, orientation);
  };
  const first = await decode(firstPage);
  return {
    width: first.width,
    height: first.height,
    count: pages.length,
    hasAlpha: pages.some(hasAlphaChannel),
    isSrgb: isLab(firstPage),
    first,
    async *rasters() {
      yield first;
      for (const page of others) yield await decode(page);
    },
  };
}

/** Wraps pages as an image. */
export function pictureOfPages(pages: OwnPages, metadata: ImageMetadata): Picture {
  const { width, height, count, hasAlpha } = pages;
  return {
    width,
    height,
    frameCount: count,
    loopCount: 0,
    hasAlpha,
    bitDepth: 16,
    metadata,
    async *frames() {
      for await (const raster of pages.rasters()) yield { ...raster, durationMs: 0 };
    },
  };
}
