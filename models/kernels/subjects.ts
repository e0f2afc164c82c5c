import type { FloatImage } from '../raster.ts';

export interface Subjects {
  /** How many separate subjects there are. */
  readonly count: number;
  /** The largest one, with the soft edge around it: the matte with everything else taken out. */
  primary(): FloatImage;
}

/** Places that belong to a subject for certain. */
const SOLID = 0.5;
/** What is smaller, as a share of the largest subject, is a speck and no subject. */
const SPECK = 0.02;
/** Below this share of the picture nothing counts as a subject at all. */
const NOTHING = 0.0005;

/**
 * Tells the separate subjects of a matte apart: connected parts (over edges and corners) of what is opaque.
 * @param matte one channel, 0 to 1
 */
export function findSubjects(matte: FloatImage): Subjects {
  const { labels, areas } = label(matte);
  const largest = Math.max(0, ...areas);
  const smallestArea = Math.max(largest * SPECK, matte.width * matte.height * NOTHING);
  return {
    count: areas.filter((area) => area >= smallestArea).length,
    primary: () => keepNearest(matte, labels, areas.length > 0 ? areas.indexOf(largest) + 1 : NONE),
  };
}

/** A label that no place has. */
const NONE = -1;

/** Labels from 1 (0: no subject) by flood fill, and each label's area. */
function label({ width, height, data }: FloatImage): { labels: Uint32Array; areas: number[] } {
  const labels = new Uint32Array(width * height);
  const areas: number[] = [];
  const around = new Neighbours(width, height);
  const stack: number[] = [];
  for (let seed = 0; seed < labels.length; seed++) {
    if (labels[seed] !== 0 || (data[seed] as number) < SOLID) continue;
    const name = areas.length + 1;
    let area = 0;
    labels[seed] = name;
    stack.push(seed);
    for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
      area += 1;
      for (const next of around.of(place)) {
        if (labels[next] !== 0 || (data[next] as number) < SOLID) continue;
        labels[next] = name;
        stack.push(next);
      }
    }
    areas.push(area);
  }
  return { labels, areas };
}

/** Soft places go with the subject that is reached from them first, in steps from place to place. */
function keepNearest(matte: FloatImage, solid: Uint32Array, kept: number): FloatImage {
  const { width, height } = matte;
  const around = new Neighbours(width, height);
  const labels = solid.slice();
  let front: number[] = [];
  for (let place = 0; place < labels.length; place++) if (labels[place] !== 0) front.push(place);
  while (front.length > 0) {
    const next: number[] = [];
    for (const place of front) {
      for (const neighbour of around.of(place)) {
        if (labels[neighbour] !== 0 || matte.data[neighbour] === 0) continue;
        labels[neighbour] = labels[place] as number;
        next.push(neighbour);
      }
    }
    front = next;
  }
  return { ...matte, data: matte.data.map((value, place) => (labels[place] === kept ? value : 0)) };
}

/** The up to eight places around a place. */
class Neighbours {
  readonly #width: number;
  readonly #height: number;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
  }

  of(place: number): number[] {
    const x = place % this.#width;
    const y = (place - x) / this.#width;
    const found: number[] = [];
    for (let down = y > 0 ? -1 : 0; down <= (y < this.#height - 1 ? 1 : 0); down++) {
      for (let across = x > 0 ? -1 : 0; across <= (x < this.#width - 1 ? 1 : 0); across++) {
        if (down !== 0 || across !== 0) found.push(place + down * this.#width + across);
      }
    }
    return found;
  }
}
