// @module-tag long

import { execFileSync, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { onnxProvider } from '../../../server/runtime/inference/node-inference.ts';

const PYTHON = '/usr/bin/python3';
const FIND = `import importlib.util, sys; sys.exit(any(not importlib.util.find_spec(n) for n in ("cv2", "numpy", "onnx", "torch")))`;
const runs = spawnSync(PYTHON, ['-c', FIND]).status === 0;

function python(code: string, ...args: string[]): unknown {
  const printed = execFileSync(PYTHON, ['-c', code, ...args], {
    cwd: resolve('lab/training'),
    env: { ...process.env, OMP_NUM_THREADS: '1', PYTHONDONTWRITEBYTECODE: '1' },
    encoding: 'utf8',
  });
  return JSON.parse(printed);
}

/**
 * Prints what becomes of batches of coloured noise: which crops are grey, which are drawn, and whether they come again.
 */
const DRAW = `
import json
import numpy as np
from upscale.rules import WithDrawings, WithGrey

class Noise:
    scale = 2
    def batch(self, seed, number, count, side):
        random = np.random.default_rng((seed, number))
        return tuple(random.integers(0, 256, (count, size, size, 3), dtype=np.uint8) for size in (side, 2 * side))

def is_grey(crop):
    return bool((crop == crop[:, :, :1]).all())

def is_drawn(crop):
    return bool(np.mean((crop[:, 1:] == crop[:, :-1]).all(2)) > 0.3)

batches = WithGrey(WithDrawings(Noise()))
grey = drawn = unlike = 0
for number in range(40):
    small, large = batches.batch(1, number, 12, 24)
    again = batches.batch(1, number, 12, 24)
    unlike += not all((one == other).all() for one, other in zip((small, large), again))
    for one, other in zip(small, large):
        unlike += is_grey(one) != is_grey(other)
        grey += is_grey(one)
        drawn += is_drawn(other)
print(json.dumps({"unlike": unlike, "grey": grey / 480, "drawn": drawn / 480}))
`;

/** Prints what the net with the weights of a file makes of a picture of waves, and which weights the file lacks. */
const READ = `
import json, pathlib, sys
import torch
from common.stored_weights import stored_weights
from upscale.model import NETS

net = NETS["x2"]()
names = {name for name, _ in net.named_parameters()}
stored = {name: values for name, values in stored_weights(pathlib.Path(sys.argv[1])).items() if name in names}
net.load_state_dict(stored, strict=False)
waves = 0.5 + 0.5 * torch.sin(torch.arange(3 * 16 * 16).float())
with torch.no_grad():
    enlarged = net(waves.reshape(1, 3, 16, 16))
print(json.dumps({"missing": sorted(names - stored.keys()), "values": enlarged.flatten().tolist()}))
`;

describe.skipIf(!runs)('the training of the upscalers', { timeout: 240_000 }, () => {
  test('makes some crops grey and draws some, input and truth alike, and the same for a seed', () => {
    const found = python(DRAW) as Record<string, number>;
    expect(found.unlike).toBe(0);
    expect(found.grey).toBeGreaterThan(0.05);
    expect(found.grey).toBeLessThan(0.12);
    expect(found.drawn).toBeGreaterThan(0.03);
    expect(found.drawn).toBeLessThan(0.1);
  });

  test('goes on from the weights that ship', async () => {
    const path = resolve('models/weights/upscale-x2.onnx');
    const found = python(READ, path) as { missing: string[]; values: number[] };
    expect(found.missing).toEqual([]);
    const { signal } = new AbortController();
    const session = await onnxProvider('cpu', async () => new Uint8Array(await readFile(path))).open(signal);
    try {
      const data = Float32Array.from({ length: 3 * 16 * 16 }, (_, at) => 0.5 + 0.5 * Math.sin(at));
      const image = { type: 'float32', dims: [1, 3, 16, 16], data } as const;
      const { enlarged } = await session.run({ image }, signal);
      const apart = [...(enlarged?.data ?? [])].map((value, at) =>
        Math.abs(Number(value) - (found.values[at] ?? Number.NaN)),
      );
      expect(apart).toHaveLength(3 * 32 * 32);
      expect(Math.max(...apart)).toBeLessThan(1e-5);
    } finally {
      await session.release();
    }
  });
});
