import { mapTuple } from '../../../core/records.ts';
import type { FloatImage, Raster8 } from '../../../core/runtime/raster.ts';
import { boundingBox, growRegion } from '../../../kernels/raster/crop.ts';
import { labelRegions } from '../../../kernels/raster/label-regions.ts';
import { resizeImage } from '../../../kernels/raster/resize.ts';
import { getMedian } from '../../../kernels/statistics.ts';
import { distanceTo } from './bind-neighbours.ts';

/** A ground of one colour: what stands before it can be cut out by colour and geometry. */
export interface FlatGround {
  /** Red, green, blue, 0 to 255. */
  readonly colour: readonly [number, number, number];
  /** Largest difference of a channel from `colour` that noise makes, 0 to 255. */
  readonly tolerance: number;
}

/** Which pixels of a picture show its flat ground, at working size. */
export interface GroundMap {
  readonly width: number;
  readonly height: number;
  /** 1 where the ground shows: around the subject, and through its holes. */
  readonly clear: Uint8Array<ArrayBuffer>;
  /** 1 where the ground shows through a hole. */
  readonly holes: Uint8Array<ArrayBuffer>;
  /** Share of the picture that shows the ground, 0 to 1. */
  readonly share: number;
}

/** Share of the border that a flat ground has at least: a subject may touch one side or two. */
const BORDER_SHARE = 0.55;
/** Difference from the ground within which noise is measured, and the most noise of a flat ground. */
const NOISE = { reach: 24, most: 10 };
/** Added to the noise of the border, and the least tolerance: compression leaves faint waves next to edges. */
const TOLERANCE = { margin: 3, least: 8 };
/**
 * Greatest thickness of the wall around an enclosed region that is a hole, in radii of the largest disc in the region: the inside of a ring, a handle or a letter, and not a spot printed on the middle of a product.
 */
const WALL = { times: 2, least: 6 };
/** Distance in working pixels within which a pixel next to the ground may be mixed with it. */
const MIXED_WITHIN = 3;
/** Cosine from which a pixel's difference from the ground has the direction of another's. */
const SAME_DIRECTION = 0.96;
/** Reach of the search for the unmixed colour of a pixel, in pixels. */
const REACH = 2;
/** Opacity below which a mixed pixel is ground, and above which it is subject. */
const OPACITY = { least: 0.06, most: 0.94 };
/**
 * What noise and compression leave on a ground: a pixel of which few around it differ from the ground, and it differs by
 * little; or a faint one next to a far stronger difference.
 */
const SPECK = { others: 8, times: 2, faint: 5, strong: 3 };
/** Side in pixels up to which all squares of a picture are looked at; of larger ones a part. */
const SAMPLED_SIDE = 1024;
/** Largest difference in a square of 2 x 2 pixels that counts as shading, of 255. */
const SOFT_MAX = 7;
/** Share of the subject that a model and the colours must have in common, and that the model may find beyond it. */
const AGREEMENT = { share: 0.75, lost: 0.08 };
const CLEAR_ALPHA = 8;
/** Share of its bounding box that a cutout fills at most: what fills more is a picture with a margin. */
const BOX_SHARE = 0.95;

/**
 * Reports whether a picture is cut out already: transparent along most of its border, and not a mere rectangle within.
 */
export function isCutOut({ width, height, data }: Raster8): boolean {
  const border = borderPixels(width, height);
  const clear = border.filter((pixel) => data[pixel * 4 + 3] < CLEAR_ALPHA).length;
  if (clear < BORDER_SHARE * border.length) return false;
  let solid = 0;
  const box = boundingBox({ width, height }, (pixel) => {
    const isSolid = data[pixel * 4 + 3] >= CLEAR_ALPHA;
    if (isSolid) solid++;
    return isSolid;
  });
  return !box || solid < BOX_SHARE * box.width * box.height;
}

/** Finds the one colour of the border; null where the border has several, or shading. */
export function findFlatGround({ width, height, data }: Raster8): FlatGround | null {
  const border = borderPixels(width, height);
  const counts = new Map<number, number>();
  for (const pixel of border) {
    const at = pixel * 4;
    if (data[at + 3] < 255) return null;
    const bin = ((data[at] >> 3) << 10) | ((data[at + 1] >> 3) << 5) | (data[at + 2] >> 3);
    counts.set(bin, (counts.get(bin) ?? 0) + 1);
  }
  const [[most] = [0]] = [...counts].sort((one, other) => other[1] - one[1]);
  let colour: [number, number, number] = [
    ((most >> 10) << 3) + 4,
    (((most >> 5) & 31) << 3) + 4,
    ((most & 31) << 3) + 4,
  ];
  let near: number[] = [];
  for (let round = 0; round < 2; round++) {
    near = border.filter((pixel) => getDifference(data, pixel * 4, colour) <= NOISE.reach);
    colour = mapTuple([0, 1, 2] as const, (channel) =>
      getMedian(near.map((pixel) => data[pixel * 4 + channel])),
    );
  }
  const differences = near
    .map((pixel) => getDifference(data, pixel * 4, colour))
    .sort((one, other) => one - other);
  const noise = differences[Math.floor(differences.length * 0.98)] ?? 0;
  if (noise > NOISE.most || near.length < BORDER_SHARE * border.length) return null;
  return { colour, tolerance: Math.max(TOLERANCE.least, noise + TOLERANCE.margin) };
}

/**
 * Finds where a flat ground shows: what is connected with the border, and the holes of the subject.
 * @param colours red, green, blue, 0 to 1, at working size
 * @param onRound called before each search for further holes; may throw to abort
 */
export function mapGround(
  { width, height, data }: FloatImage,
  ground: FlatGround,
  onRound: () => void,
): GroundMap {
  const like = new Uint8Array(width * height);
  for (let pixel = 0; pixel < like.length; pixel++) {
    let most = 0;
    for (let channel = 0; channel < 3; channel++) {
      most = Math.max(most, Math.abs(data[pixel * 3 + channel] * 255 - ground.colour[channel]));
    }
    if (most <= ground.tolerance) like[pixel] = 1;
  }
  const { labels, areas, touchesBorder } = labelRegions(like, width, height, 4);
  const inside = distanceTo(
    like.map((own) => 1 - own),
    width,
    height,
  );
  const radius = new Float32Array(areas.length);
  labels.forEach((name, pixel) => {
    if (name >= 0) radius[name] = Math.max(radius[name], inside[pixel]);
  });
  const reach = radius.map((within) => Math.max(WALL.times * within, WALL.least));
  const wall = new Float32Array(areas.length).fill(Number.POSITIVE_INFINITY);
  const isClear = [...touchesBorder];
  // A ring within a ring is reached through the gap between them: from what was cleared last to what is near it.
  for (let last = touchesBorder; last.includes(true) && isClear.includes(false); ) {
    onRound();
    const farthest = reach.reduce((most, own, name) => (isClear[name] ? most : Math.max(most, own)), 0);
    measureWalls({ labels, width, height }, { last, reach: Math.ceil(farthest) }, wall);
    last = isClear.map((is, name) => !is && wall[name] <= reach[name]);
    last.forEach((is, name) => {
      if (is) isClear[name] = true;
    });
  }
  const clear = Uint8Array.from(labels, (name) => (name >= 0 && isClear[name] ? 1 : 0));
  const holes = clear.map((own, pixel) => (own && !touchesBorder[labels[pixel]] ? 1 : 0));
  const share = clear.reduce((sum, own) => sum + own, 0) / clear.length;
  return { width, height, clear, holes, share };
}

/** Lowers the thickness of the wall around each region to its distance from regions within reach of it. */
function measureWalls(
  { labels, width, height }: { readonly labels: Int32Array; readonly width: number; readonly height: number },
  { last, reach }: { readonly last: readonly boolean[]; readonly reach: number },
  wall: Float32Array,
): void {
  const box = boundingBox({ width, height }, (pixel) => last[labels[pixel]]);
  if (!box) return;
  const near = growRegion(box, reach, { width, height });
  const names = new Int32Array(near.width * near.height);
  for (let y = 0; y < near.height; y++) {
    const from = (near.top + y) * width + near.left;
    names.set(labels.subarray(from, from + near.width), y * near.width);
  }
  const distances = distanceTo(
    Uint8Array.from(names, (name) => (last[name] ? 1 : 0)),
    near.width,
    near.height,
  );
  names.forEach((name, pixel) => {
    if (name >= 0) wall[name] = Math.min(wall[name], distances[pixel]);
  });
}

/**
 * Reports whether what stands before a ground is a drawing: more of it is of one colour than shaded, as every photograph
 * is.
 */
export function isDrawing({ width, height, data }: Raster8, { colour, tolerance }: FlatGround): boolean {
  const step = 2 * Math.max(1, Math.round(Math.sqrt(width * height) / SAMPLED_SIDE));
  let balance = 0;
  for (let y = 0; y + 1 < height; y += step) {
    for (let x = 0; x + 1 < width; x += step) {
      const at = (y * width + x) * 4;
      const square = [at, at + 4, at + width * 4, at + width * 4 + 4];
      if (square.some((pixel) => getDifference(data, pixel, colour) <= tolerance)) continue;
      const range = Math.max(
        ...square.map((pixel) => getDifference(data, pixel, [data[at], data[at + 1], data[at + 2]])),
      );
      if (range <= 1) balance++;
      else if (range <= SOFT_MAX) balance--;
    }
  }
  return balance >= 0;
}

/**
 * Reports whether a model finds the same subject as the colours do. Where it finds more, the subject has the ground's
 * colour, too, as a white shirt on white.
 * @param matte one channel, 0 to 1, at any size
 */
export function agreesWithGround({ width, height, clear }: GroundMap, matte: FloatImage): boolean {
  const { data } = resizeImage(matte, width, height);
  let [both, either, lost] = [0, 0, 0];
  for (let pixel = 0; pixel < clear.length; pixel++) {
    const isFound = data[pixel] >= 0.5;
    if (isFound && !clear[pixel]) both++;
    if (isFound || !clear[pixel]) either++;
    if (isFound && clear[pixel]) lost++;
  }
  return both >= AGREEMENT.share * either && lost <= AGREEMENT.lost * both;
}

/**
 * Cuts a picture out of its flat ground, in place: opacity is the share in which a pixel's colour lies between the
 * ground's and the nearest unmixed one (A. R. Smith, J. F. Blinn, "Blue Screen Matting", SIGGRAPH 1996), and pixels get
 * their own colour without the ground's. Memory: a few rows.
 * @param onRow called before each row; may throw to abort
 */
export function cutFromGround(
  raster: Raster8,
  { colour, tolerance }: FlatGround,
  { width: columns, height: rows, clear }: GroundMap,
  onRow: (y: number) => void,
): void {
  const { width, height, data } = raster;
  const toClear = distanceTo(clear, columns, rows);
  const stride = width * 4;
  // Rows as they were, from `REACH` above to `REACH` below the current one.
  const originals = Array.from({ length: 2 * REACH + 1 }, () => new Uint8Array(stride));
  const getRow = (y: number) => originals[y % originals.length];
  for (let y = 0; y < Math.min(REACH, height); y++)
    getRow(y).set(data.subarray(y * stride, (y + 1) * stride));
  for (let y = 0; y < height; y++) {
    onRow(y);
    if (y + REACH < height)
      getRow(y + REACH).set(data.subarray((y + REACH) * stride, (y + REACH + 1) * stride));
    const line = Math.floor((y * rows) / height) * columns;
    const own = getRow(y);
    for (let x = 0; x < width; x++) {
      if (toClear[line + Math.floor((x * columns) / width)] > MIXED_WITHIN) continue;
      const at = x * 4;
      const opacity = getOpacity(own, at, y, x);
      if (opacity === 1) continue;
      const target = y * stride + at;
      for (let channel = 0; channel < 3; channel++) {
        const mixed = own[at + channel] - (1 - opacity) * colour[channel];
        data[target + channel] = opacity === 0 ? 0 : Math.min(255, Math.max(0, Math.round(mixed / opacity)));
      }
      data[target + 3] = Math.round(opacity * own[at + 3]);
    }
  }

  function getOpacity(own: Uint8Array, at: number, y: number, x: number): number {
    if (getDifference(own, at, colour) <= tolerance) return 0;
    const red = own[at] - colour[0];
    const green = own[at + 1] - colour[1];
    const blue = own[at + 2] - colour[2];
    const length = Math.hypot(red, green, blue);
    let farthest = length;
    let isBesideGround = false;
    let others = 0;
    let strongest = length;
    for (let row = Math.max(0, y - REACH); row <= Math.min(height - 1, y + REACH); row++) {
      const line = getRow(row);
      for (let column = Math.max(0, x - REACH); column <= Math.min(width - 1, x + REACH); column++) {
        const to = column * 4;
        if (getDifference(line, to, colour) <= tolerance) {
          isBesideGround = true;
          continue;
        }
        others++;
        const along = line[to] - colour[0];
        const up = line[to + 1] - colour[1];
        const down = line[to + 2] - colour[2];
        const far = Math.hypot(along, up, down);
        strongest = Math.max(strongest, far);
        if (far > farthest && along * red + up * green + down * blue >= SAME_DIRECTION * far * length)
          farthest = far;
      }
    }
    const difference = getDifference(own, at, colour) / tolerance;
    if (difference <= SPECK.times && others <= SPECK.others) return 0;
    if (difference <= SPECK.faint && farthest === length && strongest >= SPECK.strong * length) return 0;
    const opacity = isBesideGround ? length / farthest : 1;
    return opacity < OPACITY.least ? 0 : opacity > OPACITY.most ? 1 : opacity;
  }
}

function getDifference(data: Uint8Array, at: number, [red, green, blue]: FlatGround['colour']): number {
  return Math.max(Math.abs(data[at] - red), Math.abs(data[at + 1] - green), Math.abs(data[at + 2] - blue));
}

function borderPixels(width: number, height: number): number[] {
  const pixels: number[] = [];
  for (let x = 0; x < width; x++) pixels.push(x, (height - 1) * width + x);
  for (let y = 1; y < height - 1; y++) pixels.push(y * width, y * width + width - 1);
  return pixels;
}
