import type { Session } from '../../core/runtime/inference.ts';
import type { ImageSize, PixelRegion, Raster8 } from '../../core/runtime/raster.ts';
import { cropRaster } from '../../kernels/raster/crop.ts';
import { getPlanes, writePlanes } from './colour-planes.ts';
import { type EnlargeReport, enlargePlanes } from './enlarge-planes.ts';
import { stepOf, type UpscaleNetwork } from './plan-passes.ts';
import { getTiles, innerRegion, regionWithMargin, type Tile } from './tile-regions.ts';

/** Side of a tile without its margin: small, so that much of a frame can stay as it is. */
const TILE_SIDE = 128;

/**
 * Steps of 8 bits by which a tile may differ and still counts as still: what a codec does to areas that do not move.
 * Their enlargement stays as it is, which saves the time and keeps them steady.
 */
const STILL_STEPS = 1;

/** Share of a block's tiles from which on it is computed at once: it has fewer surroundings than its tiles together. */
const MOVED_SHARE = 0.5;

/** Tile of a frame, with its surroundings. */
interface PlacedTile {
  readonly row: Tile;
  readonly column: Tile;
  readonly around: PixelRegion;
}

interface Block {
  readonly whole: PlacedTile;
  readonly tiles: readonly PlacedTile[];
}

/** Enlarges consecutive frames of one size by a network, and only the tiles that have changed. */
export class FrameEnlarger {
  readonly #network: UpscaleNetwork;
  readonly #session: Session;
  readonly #options: { readonly signal: AbortSignal; readonly report: EnlargeReport };
  /** Samples that each tile of `#enlarged` was computed from, with its surroundings, by the start of the tile. */
  readonly #sources = new Map<string, Uint8Array>();
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
    const scale = stepOf(this.#network);
    if (this.#enlarged.width !== width * scale || this.#enlarged.height !== height * scale) {
      this.#enlarged = blank(width * scale, height * scale);
      this.#sources.clear();
    }
    for (const { whole, tiles } of this.#blocks(frame)) {
      const moved = tiles.filter((tile) => this.#hasMoved(frame, tile));
      const isMoving = moved.length > tiles.length * MOVED_SHARE;
      for (const tile of isMoving ? [whole] : moved) {
        this.#options.signal.throwIfAborted();
        await this.#enlargeTile(frame, tile);
      }
      for (const tile of isMoving ? tiles : moved) this.#sources.set(getKey(tile), getSource(frame, tile));
    }
    return this.#enlarged;
  }

  /** Divides a frame into blocks that are as large as the network takes, and each into tiles. */
  #blocks({ width, height }: ImageSize): readonly Block[] {
    const { tileSide, multipleOf } = this.#network;
    const placed = (row: Tile, column: Tile): PlacedTile => ({
      row,
      column,
      around: regionWithMargin(row, column, { width, height }, this.#network),
    });
    return pairs(getTiles(height, tileSide, multipleOf), getTiles(width, tileSide, multipleOf)).map(
      ([row, column]) => ({
        whole: placed(row, column),
        tiles: pairs(within(row, multipleOf), within(column, multipleOf)).map((pair) => placed(...pair)),
      }),
    );
  }

  #hasMoved(frame: Raster8, tile: PlacedTile): boolean {
    const source = this.#sources.get(getKey(tile));
    return source === undefined || !isSimilar(source, getSource(frame, tile), STILL_STEPS);
  }

  async #enlargeTile(frame: Raster8, { row, column, around }: PlacedTile): Promise<void> {
    const scale = stepOf(this.#network);
    const planes = await enlargePlanes(this.#network, this.#session, getPlanes(frame, around), this.#options);
    writePlanes(planes, this.#enlarged, {
      region: innerRegion(row, column, around, scale),
      left: column.start * scale,
      top: row.start * scale,
    });
  }
}

function getKey({ row, column }: PlacedTile): string {
  return `${column.start},${row.start}`;
}

function getSource(frame: Raster8, { around }: PlacedTile): Uint8Array {
  return cropRaster(frame, around, 'rgba');
}

function pairs<Item>(rows: readonly Item[], columns: readonly Item[]): readonly (readonly [Item, Item])[] {
  return rows.flatMap((row) => columns.map((column) => [row, column] as const));
}

/** Divides a part of a line into tiles. */
function within({ start, used }: Tile, multipleOf: number): readonly Tile[] {
  return getTiles(used, TILE_SIDE, multipleOf).map((tile) => ({ ...tile, start: start + tile.start }));
}

function blank(width: number, height: number): Raster8 {
  return { width, height, data: new Uint8Array(width * height * 4) };
}

/**
 * Reports whether two lists of samples of one length agree.
 * @param steps difference of a sample that is allowed
 */
function isSimilar(one: Uint8Array, other: Uint8Array, steps: number): boolean {
  for (let at = 0; at < one.length; at++) {
    const difference = one[at] - other[at];
    if (difference > steps || difference < -steps) return false;
  }
  return true;
}
