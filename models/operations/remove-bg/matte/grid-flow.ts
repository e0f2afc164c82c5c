/** The eight neighbour directions of a grid; the opposite of `direction` is `direction ^ 1`. */
export const DIRECTIONS: readonly (readonly [dx: number, dy: number])[] = [
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
/** Values of `#parent` that are no direction. */
const ROOT = 8;
const ORPHAN = 9;
const NEVER = 0x7fffffff;
const CHECK_EVERY = 4096;

/**
 * Minimum cut of a grid whose nodes connect to eight neighbours and to one of two terminals: Y. Boykov, V.
 * Kolmogorov, "An Experimental Comparison of Min-Cut/Max-Flow Algorithms for Energy Minimization in Vision", TPAMI
 * 2004, with their distances to keep paths short. Capacities are whole numbers. Memory: 47 bytes per node.
 */
export class GridFlow {
  readonly #stride: number;
  readonly #steps: Int32Array;
  /** Residual capacity from a node in each direction. */
  readonly #capacities: Int32Array;
  /** Residual capacity from the source (above 0) or to the sink (below). */
  readonly #excess: Int32Array;
  readonly #tree: Uint8Array;
  /** Direction to the parent node. */
  readonly #parent: Uint8Array;
  /** Steps to the terminal, correct at the recorded time. */
  readonly #distance: Int32Array;
  readonly #noted: Int32Array;
  #time = 0;
  readonly #isActive: Uint8Array;
  #active: number[] = [];
  #nextActive: number[] = [];
  #orphans: number[] = [];

  /** Surrounds the grid with nodes without capacity, so that no direction leads out. */
  constructor(width: number, height: number) {
    this.#stride = width + 2;
    const places = this.#stride * (height + 2);
    this.#steps = Int32Array.from(DIRECTIONS, ([dx, dy]) => dy * this.#stride + dx);
    this.#capacities = new Int32Array(places * DIRECTIONS.length);
    this.#excess = new Int32Array(places);
    this.#tree = new Uint8Array(places);
    this.#parent = new Uint8Array(places).fill(ORPHAN);
    this.#distance = new Int32Array(places);
    this.#noted = new Int32Array(places);
    this.#isActive = new Uint8Array(places);
  }

  /**
   * Connects a node to a terminal.
   * @param capacity cost of cutting it from the source (above 0), or from the sink (below)
   */
  bindToTerminal(x: number, y: number, capacity: number): void {
    this.#excess[this.#getPlace(x, y)] = Math.round(capacity);
  }

  /**
   * Connects a node to a neighbour.
   * @param capacity cost of separating them, at least 0; both lie on the grid
   */
  bindToNeighbour(x: number, y: number, direction: number, capacity: number): void {
    const pixel = this.#getPlace(x, y);
    this.#capacities[pixel * 8 + direction] = Math.round(capacity);
    this.#capacities[(pixel + this.#step(direction)) * 8 + (direction ^ 1)] = Math.round(capacity);
  }

  /**
   * Finds the cut.
   * @param onProgress called now and then; may throw to abort
   */
  solve(onProgress: () => void): void {
    this.#plant();
    for (let rounds = 1; ; rounds++) {
      if (rounds % CHECK_EVERY === 0) onProgress();
      const pixel = this.#nextGrowing();
      if (pixel === undefined) return;
      const direction = this.#grow(pixel);
      if (direction === null) {
        this.#isActive[pixel] = 0;
        this.#active.pop();
        continue;
      }
      this.#time += 1;
      this.#augment(pixel, direction);
      for (let orphan = this.#orphans.pop(); orphan !== undefined; orphan = this.#orphans.pop()) {
        this.#adopt(orphan);
      }
    }
  }

  /** Reports whether the cut leaves a node with the source. */
  isWithSource(x: number, y: number): boolean {
    return this.#tree[this.#getPlace(x, y)] === SOURCE;
  }

  #getPlace(x: number, y: number): number {
    return (y + 1) * this.#stride + x + 1;
  }

  #step(direction: number): number {
    return this.#steps[direction];
  }

  /**
   * Returns the residual capacity between a node of a tree and its neighbour, in the direction of the tree's flow.
   */
  #flowable(tree: number, pixel: number, direction: number): number {
    const from =
      tree === SOURCE ? pixel * 8 + direction : (pixel + this.#step(direction)) * 8 + (direction ^ 1);
    return this.#capacities[from];
  }

  #plant(): void {
    for (let pixel = 0; pixel < this.#excess.length; pixel++) {
      const excess = this.#excess[pixel];
      if (excess === 0) continue;
      this.#tree[pixel] = excess > 0 ? SOURCE : SINK;
      this.#parent[pixel] = ROOT;
      this.#distance[pixel] = 1;
      this.#activate(pixel);
    }
  }

  #activate(pixel: number): void {
    if (this.#isActive[pixel] === 1) return;
    this.#isActive[pixel] = 1;
    this.#nextActive.push(pixel);
  }

  /**
   * Returns the next growing node. First in, first out, by two stacks: one collects new nodes while the other is
   * consumed.
   */
  #nextGrowing(): number | undefined {
    for (;;) {
      const pixel = this.#active.at(-1);
      if (pixel === undefined) {
        if (this.#nextActive.length === 0) return undefined;
        this.#active = this.#nextActive.reverse();
        this.#nextActive = [];
      } else if (this.#tree[pixel] === FREE) {
        this.#isActive[pixel] = 0;
        this.#active.pop();
      } else return pixel;
    }
  }

  /**
   * Adds free neighbours to the node's tree.
   * @returns the direction to a neighbour of the other tree, null without one
   */
  #grow(pixel: number): number | null {
    const tree = this.#tree[pixel];
    const distance = this.#distance[pixel] + 1;
    for (let direction = 0; direction < 8; direction++) {
      if (this.#flowable(tree, pixel, direction) <= 0) continue;
      const next = pixel + this.#step(direction);
      const other = this.#tree[next];
      if (other === FREE) {
        this.#tree[next] = tree;
        this.#hang(next, direction ^ 1, this.#noted[pixel], distance);
        this.#activate(next);
      } else if (other !== tree) return direction;
      else if (this.#noted[next] <= this.#noted[pixel] && this.#distance[next] > distance) {
        this.#hang(next, direction ^ 1, this.#noted[pixel], distance);
      }
    }
    return null;
  }

  #hang(pixel: number, direction: number, time: number, distance: number): void {
    this.#parent[pixel] = direction;
    this.#noted[pixel] = time;
    this.#distance[pixel] = distance;
  }

  /** Pushes the largest possible flow along the path that two trees form where they touch. */
  #augment(pixel: number, direction: number): void {
    const neighbour = pixel + this.#step(direction);
    const isSource = this.#tree[pixel] === SOURCE;
    const [front, back, bridge] = isSource
      ? [pixel, neighbour, direction]
      : [neighbour, pixel, direction ^ 1];
    const amount = Math.min(
      this.#capacities[front * 8 + bridge],
      this.#narrowest(front, SOURCE),
      this.#narrowest(back, SINK),
    );
    this.#shift(front, bridge, amount);
    this.#flow(front, SOURCE, amount);
    this.#flow(back, SINK, amount);
  }

  #narrowest(start: number, tree: number): number {
    let least = NEVER;
    let pixel = start;
    for (let up = this.#parent[pixel]; up !== ROOT; up = this.#parent[pixel]) {
      const parent = pixel + this.#step(up);
      least = Math.min(least, this.#flowable(tree, parent, up ^ 1));
      pixel = parent;
    }
    return Math.min(least, Math.abs(this.#excess[pixel]));
  }

  /** Pushes an amount between a node and its terminal, and cuts off saturated edges. */
  #flow(start: number, tree: number, amount: number): void {
    let pixel = start;
    for (let up = this.#parent[pixel]; up !== ROOT; up = this.#parent[pixel]) {
      const parent = pixel + this.#step(up);
      if (tree === SOURCE) this.#shift(parent, up ^ 1, amount);
      else this.#shift(pixel, up, amount);
      if (this.#flowable(tree, parent, up ^ 1) === 0) this.#orphan(pixel);
      pixel = parent;
    }
    const left = this.#excess[pixel] + (tree === SOURCE ? -amount : amount);
    this.#excess[pixel] = left;
    if (left === 0) this.#orphan(pixel);
  }

  #shift(from: number, direction: number, amount: number): void {
    const there = from * 8 + direction;
    const back = (from + this.#step(direction)) * 8 + (direction ^ 1);
    this.#capacities[there] = this.#capacities[there] - amount;
    this.#capacities[back] = this.#capacities[back] + amount;
  }

  #orphan(pixel: number): void {
    this.#parent[pixel] = ORPHAN;
    this.#orphans.push(pixel);
  }

  /** Finds a new parent for the orphan in its tree, the one nearest to the terminal, or frees it. */
  #adopt(orphan: number): void {
    const tree = this.#tree[orphan];
    let best = ORPHAN;
    let least = NEVER;
    for (let direction = 0; direction < 8; direction++) {
      const next = orphan + this.#step(direction);
      if (this.#tree[next] !== tree || this.#flowable(tree, next, direction ^ 1) <= 0) continue;
      const distance = this.#distanceOf(next);
      if (distance >= least) continue;
      best = direction;
      least = distance;
    }
    if (best === ORPHAN) this.#setFree(orphan, tree);
    else this.#hang(orphan, best, this.#time, least + 1);
  }

  /** Counts the steps from a node to its terminal, NEVER below an orphan; records them along the way. */
  #distanceOf(start: number): number {
    let steps = 0;
    let pixel = start;
    while (this.#noted[pixel] !== this.#time) {
      const direction = this.#parent[pixel];
      if (direction === ORPHAN) return NEVER;
      steps += 1;
      if (direction === ROOT) {
        this.#noted[pixel] = this.#time;
        this.#distance[pixel] = 1;
        steps -= 1;
        break;
      }
      pixel += this.#step(direction);
    }
    const distance = steps + this.#distance[pixel];
    let left = distance;
    for (let at = start; this.#noted[at] !== this.#time; at += this.#step(this.#parent[at])) {
      this.#noted[at] = this.#time;
      this.#distance[at] = left--;
    }
    return distance;
  }

  #setFree(orphan: number, tree: number): void {
    this.#tree[orphan] = FREE;
    for (let direction = 0; direction < 8; direction++) {
      const next = orphan + this.#step(direction);
      if (this.#tree[next] !== tree) continue;
      if (this.#flowable(tree, next, direction ^ 1) > 0) this.#activate(next);
      if (this.#parent[next] === (direction ^ 1)) this.#orphan(next);
    }
  }
}
