import type { Session } from '../inference.ts';
import { planesOf, writePlanes } from '../kernels/raster/colour-planes.ts';
import type { Region } from '../kernels/raster/crop-raster.ts';
import { copyRegion, isAlike } from '../kernels/raster/regions.ts';
import { type Tile, tilesOf } from '../kernels/raster/tiles.ts';
import type { Raster8 } from '../raster.ts';
import { type EnlargeReport, enlargePlanes } from './enlarge-planes.ts';
import type { UpscaleNetwork } from './networks.ts';
import { innerRegion, surroundingsOf } from './tile-regions.ts';

/** Side of a tile without its margin: small, so that much of a frame can stay as it is. */
const TILE_SIDE = 128;

/**
 * Steps of 8 bits by which a tile may differ and still counts as still: what a codec does to areas that do not move.
 * Their enlargement stays as it is, which saves the time and keeps them steady.
 */
const STILL_STEPS = 1;

/** Enlarges consecutive frames of one size by a network, and only the tiles that have changed. */
export class FrameEnlarger {
  readonly #network: UpscaleNetwork;
  readonly #session: Session;
  readonly #options: { readonly signal: AbortSignal; readonly report: EnlargeReport };
  /** Frame that the tiles of `#enlarged` were computed from, each at its own time. */
  #seen: Raster8 | null = null;
  #enlarged: Raster8 = { width: 0, height: 0, data: new Uint8Array(0) };

  constructor(
    network: UpscaleNetwork,
    session: Session,
    options: { readonly signal: AbortSignal; readonly report: EnlargeReport },
  ) {
    this.#network = network;
    this.#session = session;
    this.#options = options;
  }

  /** @returns the enlarged frame, which the next call changes */
  async enlarge(frame: Raster8): Promise<Raster8> {
    const { width, height } = frame;
    const { scale } = this.#network;
    const isFirst = this.#seen?.width !== width || this.#seen.height !== height;
    const seen = isFirst || !this.#seen ? blank(width, height) : this.#seen;
    if (isFirst) this.#enlarged = blank(width * scale, height * scale);
    this.#seen = seen;
    const { multipleOf } = this.#network;
    const columns = tilesOf(width, TILE_SIDE, multipleOf);
    const tiles = tilesOf(height, TILE_SIDE, multipleOf).flatMap((row) =>
      columns.map((column) => ({ row, column, around: surroundingsOf(row, column, frame, this.#network) })),
    );
    // Before any is copied: a tile has changed if its surroundings have.
    const changed = tiles.filter(({ around }) => isFirst || !isAlike(seen, frame, around, STILL_STEPS));
    for (const { row, column, around } of changed) {
      this.#options.signal.throwIfAborted();
      await this.#enlargeTile(frame, row, column, around);
      copyRegion(frame, seen, {
        left: column.start,
        top: row.start,
        width: column.length,
        height: row.length,
      });
    }
    return this.#enlarged;
  }

  async #enlargeTile(frame: Raster8, row: Tile, column: Tile, around: Region): Promise<void> {
    const { scale } = this.#network;
    const planes = await enlargePlanes(this.#network, this.#session, planesOf(frame, around), this.#options);
    writePlanes(planes, this.#enlarged, {
      region: innerRegion(row, column, around, scale),
      left: column.start * scale,
      top: row.start * scale,
    });
  }
}

function blank(width: number, height: number): Raster8 {
  return { width, height, data: new Uint8Array(width * height * 4) };
}
