import type { Session } from '../inference.ts';
import { planesOf, type RegionPlanes, writePlanes } from '../kernels/raster/colour-planes.ts';
import type { Region } from '../kernels/raster/crop-raster.ts';
import { RowWindow } from '../kernels/raster/row-window.ts';
import { spreadColours } from '../kernels/raster/spread-colours.ts';
import type { StripImage } from '../kernels/raster/strips.ts';
import { type Tile, tilesOf } from '../kernels/raster/tiles.ts';
import type { Raster } from '../raster.ts';
import { type EnlargeReport, enlargePlanes } from './enlarge-planes.ts';
import type { UpscaleNetwork } from './networks.ts';

export interface EnlargeOptions {
  readonly signal: AbortSignal;
  readonly report: EnlargeReport;
  /** @param fraction of the image that is enlarged */
  readonly onProgress: (fraction: number) => void;
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
  const { scale, margin, tileSide } = network;
  const window = new RowWindow(image);
  const rows = tilesOf(image.height, tileSide);
  const columns = tilesOf(image.width, tileSide);
  let done = 0;
  try {
    for (const row of rows) {
      const end = row.start + row.length;
      const top = Math.max(0, row.start - margin);
      const source = await window.rows(top, Math.min(image.height, end + margin));
      const strip = emptyRaster(image.width * scale, (end - row.from) * scale, image.bitDepth);
      for (const column of columns) {
        options.signal.throwIfAborted();
        const region = {
          left: column.start - margin,
          top: row.start - margin - top,
          width: padded(column, network),
          height: padded(row, network),
        };
        const planes = await enlargeRegion(source, region, network, session, options);
        writePlanes(planes, strip, {
          region: {
            left: (margin + column.from - column.start) * scale,
            top: (margin + row.from - row.start) * scale,
            width: (column.start + column.length - column.from) * scale,
            height: strip.height,
          },
          left: column.from * scale,
          top: 0,
        });
        options.onProgress(++done / (rows.length * columns.length));
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

/** Returns the length of a tile with its surroundings, as the network takes it. */
function padded({ length }: Tile, { margin, multipleOf }: UpscaleNetwork): number {
  return Math.ceil((length + 2 * margin) / multipleOf) * multipleOf;
}

function emptyRaster(width: number, height: number, bitDepth: 8 | 16): Raster {
  return { width, height, data: new (bitDepth === 16 ? Uint16Array : Uint8Array)(width * height * 4) };
}
