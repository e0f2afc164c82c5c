import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DIRECTIONS, GridFlow } from '../../../../../models/operations/remove-bg/matte/grid-flow.ts';

interface Problem {
  readonly width: number;
  readonly height: number;
  /** Above 0: cost of leaving the source; below: the sink. */
  readonly terminals: readonly number[];
  /** For each node and each of the four forward directions. */
  readonly bonds: readonly number[];
}

const FORWARD = [0, 2, 4, 6];

function eachBond(
  { width, height, bonds }: Problem,
  visit: (x: number, y: number, direction: number, cost: number) => void,
) {
  for (let place = 0; place < width * height; place++) {
    const [x, y] = [place % width, Math.floor(place / width)];
    FORWARD.forEach((direction, index) => {
      const [dx = 0, dy = 0] = DIRECTIONS[direction] ?? [];
      const isInside = x + dx < width && y + dy >= 0 && y + dy < height;
      if (isInside) visit(x, y, direction, bonds[place * 4 + index] ?? 0);
    });
  }
}

function cut(problem: Problem): boolean[] {
  const { width, height, terminals } = problem;
  const flow = new GridFlow(width, height);
  terminals.forEach((capacity, place) => {
    flow.bindToTerminal(place % width, Math.floor(place / width), capacity);
  });
  eachBond(problem, (x, y, direction, cost) => flow.bindToNeighbour(x, y, direction, cost));
  flow.solve(() => {});
  return terminals.map((_, place) => flow.isWithSource(place % width, Math.floor(place / width)));
}

/** Computes the cost of a labelling: all bonds that it cuts. */
function getCost(problem: Problem, labels: readonly boolean[]): number {
  const { width, terminals } = problem;
  let cost = 0;
  terminals.forEach((capacity, place) => {
    if (capacity > 0 !== labels[place]) cost += Math.abs(capacity);
  });
  eachBond(problem, (x, y, direction, bond) => {
    const [dx = 0, dy = 0] = DIRECTIONS[direction] ?? [];
    if (labels[y * width + x] !== labels[(y + dy) * width + x + dx]) cost += bond;
  });
  return cost;
}

function cheapest(problem: Problem): number {
  const count = problem.terminals.length;
  let least = Number.POSITIVE_INFINITY;
  for (let bits = 0; bits < 2 ** count; bits++) {
    const labels = Array.from({ length: count }, (_, place) => (bits & (1 << place)) !== 0);
    least = Math.min(least, getCost(problem, labels));
  }
  return least;
}

const problems = fc
  .record({ width: fc.integer({ min: 1, max: 4 }), height: fc.integer({ min: 1, max: 3 }) })
  .chain(({ width, height }) => {
    const places = width * height;
    return fc.record({
      width: fc.constant(width),
      height: fc.constant(height),
      terminals: fc.array(fc.integer({ min: -9, max: 9 }), { minLength: places, maxLength: places }),
      bonds: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: places * 4, maxLength: places * 4 }),
    });
  });

describe('the minimum cut of a grid', () => {
  it('has the lowest cost of all labellings', () => {
    fc.assert(
      fc.property(problems, (problem) => {
        expect(getCost(problem, cut(problem))).toBe(cheapest(problem));
      }),
      { numRuns: 300 },
    );
  });

  it('goes through the one weak column between two seeds', () => {
    const [width, height] = [40, 30];
    const flow = new GridFlow(width, height);
    flow.bindToTerminal(0, 15, 1_000_000);
    flow.bindToTerminal(39, 15, -1_000_000);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x + 1 < width; x++) {
        flow.bindToNeighbour(x, y, 0, x === 22 ? 1 : 100);
        if (y + 1 < height) flow.bindToNeighbour(x, y, 2, 100);
      }
    }
    flow.solve(() => {});
    for (let y = 0; y < height; y++) {
      expect(flow.isWithSource(22, y)).toBe(true);
      expect(flow.isWithSource(23, y)).toBe(false);
    }
  });

  it('can be aborted', () => {
    const flow = new GridFlow(100, 100);
    for (let place = 0; place < 10_000; place++) {
      const [x, y] = [place % 100, Math.floor(place / 100)];
      flow.bindToTerminal(x, y, (x * 7 + y * 13) % 17 > 8 ? 50 : -50);
      if (x < 99) flow.bindToNeighbour(x, y, 0, 30);
    }
    const end = () => {
      throw new Error('ended');
    };
    expect(() => flow.solve(end)).toThrow('ended');
  });
});
