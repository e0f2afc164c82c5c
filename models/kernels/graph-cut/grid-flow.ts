/** The eight ways from a place of a grid; the way back of `way` is `way ^ 1`. */
export const WAYS: readonly (readonly [dx: number, dy: number])[] = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
  [1, 1],
  [-1, -1],
  [1, -1],
  [-1, 1],
];

const FREE = 0;
const SOURCE = 1;
const SINK = 2;

/** Values of `#parent` that are no way. */
const ROOT = 8;
const ORPHAN = 9;

const NEVER = 0x7fffffff;
const CHECK_EVERY = 4096;

/**
 * The minimum cut of a grid whose places are bound to their eight neighbours and to one of two terminals: Y. Boykov,
 * V. Kolmogorov, "An Experimental Comparison of Min-Cut/Max-Flow Algorithms for Energy Minimization in Vision", TPAMI
 * 2004, with their distances to keep paths short. Capacities are whole numbers. Memory: 47 bytes a place.
 */
export class GridFlow {
  readonly #stride: number;
  readonly #steps: Int32Array;
  /** What may still flow from a place each way. */
  readonly #capacities: Int32Array;
  /** What may still come from the source (above 0) or go to the sink (below). */
  readonly #excess: Int32Array;
  readonly #tree: Uint8Array;
  /** The way to the place that this one hangs on. */
  readonly #parent: Uint8Array;
  /** Steps to the terminal, right at the time noted. */
  readonly #distance: Int32Array;
  readonly #noted: Int32Array;
  #time = 0;
  readonly #isActive: Uint8Array;
  #active: number[] = [];
  #nextActive: number[] = [];
  #orphans: number[] = [];

  /** A frame of places without capacity goes around the grid, so that no way leads out. */
  constructor(width: number, height: number) {
    this.#stride = width + 2;
    const places = this.#stride * (height + 2);
    this.#steps = Int32Array.from(WAYS, ([dx, dy]) => dy * this.#stride + dx);
    this.#capacities = new Int32Array(places * WAYS.length);
    this.#excess = new Int32Array(places);
    this.#tree = new Uint8Array(places);
    this.#parent = new Uint8Array(places).fill(ORPHAN);
    this.#distance = new Int32Array(places);
    this.#noted = new Int32Array(places);
    this.#isActive = new Uint8Array(places);
  }

  /** @param capacity what being cut from the source costs (above 0), or from the sink (below) */
  bindToTerminal(x: number, y: number, capacity: number): void {
    this.#excess[this.#placeOf(x, y)] = Math.round(capacity);
  }

  /** @param capacity what parting the place from its neighbour costs, at least 0; both lie on the grid */
  bindToNeighbour(x: number, y: number, way: number, capacity: number): void {
    const place = this.#placeOf(x, y);
    this.#capacities[place * 8 + way] = Math.round(capacity);
    this.#capacities[(place + this.#step(way)) * 8 + (way ^ 1)] = Math.round(capacity);
  }

  /**
   * Finds the cut.
   * @param onProgress called now and then; may throw to end it
   */
  solve(onProgress: () => void): void {
    this.#plant();
    for (let rounds = 1; ; rounds++) {
      if (rounds % CHECK_EVERY === 0) onProgress();
      const place = this.#nextGrowing();
      if (place === undefined) return;
      const way = this.#grow(place);
      if (way === null) {
        this.#isActive[place] = 0;
        this.#active.pop();
        continue;
      }
      this.#time += 1;
      this.#augment(place, way);
      for (let orphan = this.#orphans.pop(); orphan !== undefined; orphan = this.#orphans.pop()) {
        this.#adopt(orphan);
      }
    }
  }

  /** Whether the cut leaves a place with the source. */
  isWithSource(x: number, y: number): boolean {
    return this.#tree[this.#placeOf(x, y)] === SOURCE;
  }

  #placeOf(x: number, y: number): number {
    return (y + 1) * this.#stride + x + 1;
  }

  #step(way: number): number {
    return this.#steps[way] as number;
  }

  /** What may flow between a place of a tree and its neighbour, in the direction that the tree's flow takes. */
  #flowable(tree: number, place: number, way: number): number {
    const from = tree === SOURCE ? place * 8 + way : (place + this.#step(way)) * 8 + (way ^ 1);
    return this.#capacities[from] as number;
  }

  #plant(): void {
    for (let place = 0; place < this.#excess.length; place++) {
      const excess = this.#excess[place] as number;
      if (excess === 0) continue;
      this.#tree[place] = excess > 0 ? SOURCE : SINK;
      this.#parent[place] = ROOT;
      this.#distance[place] = 1;
      this.#activate(place);
    }
  }

  #activate(place: number): void {
    if (this.#isActive[place] === 1) return;
    this.#isActive[place] = 1;
    this.#nextActive.push(place);
  }

  /** First in, first out, by two stacks: what came up while one was worked off waits in the other. */
  #nextGrowing(): number | undefined {
    for (;;) {
      const place = this.#active.at(-1);
      if (place === undefined) {
        if (this.#nextActive.length === 0) return undefined;
        this.#active = this.#nextActive.reverse();
        this.#nextActive = [];
      } else if (this.#tree[place] === FREE) {
        this.#isActive[place] = 0;
        this.#active.pop();
      } else return place;
    }
  }

  /** Takes free neighbours into the place's tree. @returns the way to a neighbour of the other tree, null without one */
  #grow(place: number): number | null {
    const tree = this.#tree[place] as number;
    const distance = (this.#distance[place] as number) + 1;
    for (let way = 0; way < 8; way++) {
      if (this.#flowable(tree, place, way) <= 0) continue;
      const next = place + this.#step(way);
      const other = this.#tree[next] as number;
      if (other === FREE) {
        this.#tree[next] = tree;
        this.#hang(next, way ^ 1, this.#noted[place] as number, distance);
        this.#activate(next);
      } else if (other !== tree) return way;
      else if (
        (this.#noted[next] as number) <= (this.#noted[place] as number) &&
        (this.#distance[next] as number) > distance
      ) {
        this.#hang(next, way ^ 1, this.#noted[place] as number, distance);
      }
    }
    return null;
  }

  #hang(place: number, way: number, time: number, distance: number): void {
    this.#parent[place] = way;
    this.#noted[place] = time;
    this.#distance[place] = distance;
  }

  /** Sends all that can flow along the path that two trees form where they touch. */
  #augment(place: number, way: number): void {
    const neighbour = place + this.#step(way);
    const isSource = this.#tree[place] === SOURCE;
    const [front, back, bridge] = isSource ? [place, neighbour, way] : [neighbour, place, way ^ 1];
    const amount = Math.min(
      this.#capacities[front * 8 + bridge] as number,
      this.#narrowest(front, SOURCE),
      this.#narrowest(back, SINK),
    );
    this.#shift(front, bridge, amount);
    this.#flow(front, SOURCE, amount);
    this.#flow(back, SINK, amount);
  }

  #narrowest(start: number, tree: number): number {
    let least = NEVER;
    let place = start;
    for (let way = this.#parent[place] as number; way !== ROOT; way = this.#parent[place] as number) {
      const parent = place + this.#step(way);
      least = Math.min(least, this.#flowable(tree, parent, way ^ 1));
      place = parent;
    }
    return Math.min(least, Math.abs(this.#excess[place] as number));
  }

  /** Lets the amount flow between a place and its terminal; what is then used up is cut off. */
  #flow(start: number, tree: number, amount: number): void {
    let place = start;
    for (let way = this.#parent[place] as number; way !== ROOT; way = this.#parent[place] as number) {
      const parent = place + this.#step(way);
      if (tree === SOURCE) this.#shift(parent, way ^ 1, amount);
      else this.#shift(place, way, amount);
      if (this.#flowable(tree, parent, way ^ 1) === 0) this.#orphan(place);
      place = parent;
    }
    const left = (this.#excess[place] as number) + (tree === SOURCE ? -amount : amount);
    this.#excess[place] = left;
    if (left === 0) this.#orphan(place);
  }

  #shift(from: number, way: number, amount: number): void {
    const there = from * 8 + way;
    const back = (from + this.#step(way)) * 8 + (way ^ 1);
    this.#capacities[there] = (this.#capacities[there] as number) - amount;
    this.#capacities[back] = (this.#capacities[back] as number) + amount;
  }

  #orphan(place: number): void {
    this.#parent[place] = ORPHAN;
    this.#orphans.push(place);
  }

  /** Finds the orphan another place of its tree to hang on, the one nearest to the terminal, or sets it free. */
  #adopt(orphan: number): void {
    const tree = this.#tree[orphan] as number;
    let best = ORPHAN;
    let least = NEVER;
    for (let way = 0; way < 8; way++) {
      const next = orphan + this.#step(way);
      if (this.#tree[next] !== tree || this.#flowable(tree, next, way ^ 1) <= 0) continue;
      const distance = this.#distanceOf(next);
      if (distance >= least) continue;
      best = way;
      least = distance;
    }
    if (best === ORPHAN) this.#setFree(orphan, tree);
    else this.#hang(orphan, best, this.#time, least + 1);
  }

  /** Steps from a place to its terminal, NEVER when it hangs on an orphan; noted along the way. */
  #distanceOf(start: number): number {
    let steps = 0;
    let place = start;
    while (this.#noted[place] !== this.#time) {
      const way = this.#parent[place] as number;
      if (way === ORPHAN) return NEVER;
      steps += 1;
      if (way === ROOT) {
        this.#noted[place] = this.#time;
        this.#distance[place] = 1;
        steps -= 1;
        break;
      }
      place += this.#step(way);
    }
    const distance = steps + (this.#distance[place] as number);
    let left = distance;
    for (let at = start; this.#noted[at] !== this.#time; at += this.#step(this.#parent[at] as number)) {
      this.#noted[at] = this.#time;
      this.#distance[at] = left--;
    }
    return distance;
  }

  #setFree(orphan: number, tree: number): void {
    this.#tree[orphan] = FREE;
    for (let way = 0; way < 8; way++) {
      const next = orphan + this.#step(way);
      if (this.#tree[next] !== tree) continue;
      if (this.#flowable(tree, next, way ^ 1) > 0) this.#activate(next);
      if (this.#parent[next] === (way ^ 1)) this.#orphan(next);
    }
  }
}
