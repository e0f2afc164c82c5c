import { type Orientation, orientRaster } from '../../kernels/raster/orient-raster.ts';
import type { DecodeOptions } from '../../runtime/image-codec.ts';
import type { Raster } from '../../runtime/raster.ts';
import { formatWarning, type RunWarning } from '../../runtime/run-warnings.ts';
import type { Bytes } from '../bytes/byte-writer.ts';
import { chooseTiffDecoder } from './choose-decoder.ts';
import { decodePage, type InflateWithin } from './decode-page.ts';
import { PHOTOMETRIC, readTiffPage } from './page-layout.ts';

/** First page of a TIFF as our own decoder reads it. */
export interface OwnPage {
  /** Upright, 16 bits per sample. */
  readonly raster: Raster;
  readonly hasAlpha: boolean;
  /** Whether its samples are sRGB already, whatever the file says about its colours. */
  readonly isSrgb: boolean;
  /** Loss of the other pages, where all are wanted. */
  readonly warnings: readonly RunWarning[];
}

/**
 * Decodes the first page of a TIFF of a kind that libraries read wrong.
 * @returns null for the kinds that they read right, which are theirs
 * @throws OperationError `unprocessable` for what nobody reads right, saying what it is, and for damage
 */
export async function openOwnPage(
  file: Bytes,
  { frames, orientation }: Pick<DecodeOptions, 'frames'> & { readonly orientation: Orientation },
  inflate: InflateWithin,
): Promise<OwnPage | null> {
  const page = readTiffPage(file);
  if (!page || chooseTiffDecoder(page) === 'library') return null;
  const { hasAlpha, ...raster } = await decodePage(file, page, inflate);
  const isSrgb = page.photometric === PHOTOMETRIC.cieLab || page.photometric === PHOTOMETRIC.iccLab;
  const isShortened = frames === 'all' && page.pageCount > 1;
  return {
    raster: orientRaster(raster, orientation),
    hasAlpha,
    isSrgb,
    warnings: isShortened ? [formatWarning('first_page', String(page.pageCount))] : [],
  };
}
