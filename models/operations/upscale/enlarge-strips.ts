import type { Session } from '../../core/runtime/inference.ts';
import type { ReportProgress } from '../../core/runtime/progress.ts';
import type { Raster } from '../../core/runtime/raster.ts';
import type { StripImage } from '../../kernels/picture/strips.ts';
import type { Region } from '../../kernels/raster/crop-raster.ts';
import { planesOf, type RegionPlanes, writePlanes } from './enlarge/colour-planes.ts';
import { RowWindow } from './enlarge/row-window.ts';
import { spreadColours } from './enlarge/spread-colours.ts';
import { tilesOf } from './enlarge/tiles.ts';
import { type EnlargeReport, enlargePlanes } from './enlarge-planes.ts';
import type { UpscaleNetwork } from './networks.ts';
import { innerRegion, regionWithMargin, spanWithMargin } from './tile-regions.ts';

export interface EnlargeOptions {
  readonly signal: AbortSignal;
  readonly report: EnlargeReport;
  /** Whether no place may swing out beside an edge. */
  readonly isDrawing?: boolean;
  /** Receives the share of the image that is enlarged. */
  readonly onProgress: ReportProgress;
}

/**
 * Enlarges an image by a network, tile by tile: each tile is computed with as much of its surroundings as the network
 * sees, so that the result is the same as of the whole. Memory: a row of tiles of input and result.
 * @returns the enlarged image, computed while it is read
 * @throws OperationError `unavailable` (while it is read) when the network fails
 */
export function enlargeStrips(
  image: StripImage,
  network: UpscaleNetwork,
  session: Session,
  options: EnlargeOptions,
): StripImage {
  const { scale } = network;
  return {
    width: image.width * scale,
    height: image.height * scale,
    bitDepth: image.bitDepth,
    strips: stripsOf(image, network, session, options),
  };
}

async function* stripsOf(
  image: StripImage,
  network: UpscaleNetwork,
  session: Session,
  options: EnlargeOptions,
): AsyncGenerator<Raster> {
  const { scale, tileSide, multipleOf } = network;
  const window = new RowWindow(image);
  const rows = tilesOf(image.height, tileSide, multipleOf);
  const columns = tilesOf(image.width, tileSide, multipleOf);
  let done = 0;
  try {
    for (const row of rows) {
      const { start, length } = spanWithMargin(row, image.height, network);
      const source = await window.rows(start, Math.min(image.height, start + length));
      const strip = emptyRaster(image.width * scale, row.used * scale, image.bitDepth);
      for (const column of columns) {
        options.signal.throwIfAborted();
        const around = regionWithMargin(row, column, image, network);
        const planes = await enlargeRegion(source, { ...around, top: 0 }, network, session, options);
        writePlanes(planes, strip, {
          region: innerRegion(row, column, around, scale),
          left: column.start * scale,
          top: 0,
        });
        options.onProgress({ fraction: ++done / (rows.length * columns.length) });
      }
      yield strip;
    }
  } finally {
    await window.close();
  }
}

async function enlargeRegion(
  source: Raster,
  region: Region,
  network: UpscaleNetwork,
  session: Session,
  options: EnlargeOptions,
): Promise<RegionPlanes> {
  const planes = planesOf(source, region);
  if (planes.alpha) spreadColours(planes, planes.alpha, network.margin);
  return enlargePlanes(network, session, planes, options);
}

function emptyRaster(width: number, height: number, bitDepth: 8 | 16): Raster {
  return { width, height, data: new (bitDepth === 16 ? Uint16Array : Uint8Array)(width * height * 4) };
}
