/** Side of a tile of outputs, in samples. Its inputs reach one farther on each side. */
export const TILE = 4;

/**
 * Tiles in a block, and vectors of outputs that are computed with it: nine sums, three vectors of weights and an input
 * stay in the 15 registers that engines have on x64. 6 x 2 and 4 x 3 were measured to be slower.
 */
export const BLOCK_TILES = 3;
export const BLOCK_VECTORS = 3;
/** Outputs that are computed at once. */
export const BLOCK_OUTPUTS = 4 * BLOCK_VECTORS;

/** Tiles in a batch: several blocks. */
export const BATCH_TILES = 24;
/** Most channels of a map, in vectors. */
export const GROUPS_MAX = 12;

/** Bytes between a batch's values at one place of the tiles and at the next: no power of two, for the caches' sake. */
export const PLACE_BYTES = BATCH_TILES * GROUPS_MAX * 16 + 64;
/** Offsets of the transformed inputs and of the products in the scratch memory, after half of a transform. */
export const INPUTS = 1024;
export const PRODUCTS = INPUTS + 36 * PLACE_BYTES;
/** Bytes that a thread needs while it convolves. */
export const SCRATCH_BYTES = PRODUCTS + 36 * PLACE_BYTES;

/**
 * Most memory that the kernel takes, in pages of 64 KiB. Engines reserve all of it at once, and phones have little room
 * for addresses. The largest tiles take less than half.
 */
export const PAGES_MAX = 4096;
