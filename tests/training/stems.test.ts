// @module-tag long

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onnxProvider } from '../../server/runtime/inference/onnx-provider.ts';

const PYTHON = '/usr/bin/python3';
const TRAINING = resolve('training');
const FIND = `import importlib.util, sys; sys.exit(any(not importlib.util.find_spec(n) for n in ("numpy", "onnx", "soundfile", "torch")))`;
const runs = spawnSync(PYTHON, ['-c', FIND]).status === 0;
const FRAMES = 256;
const ROWS = 384;

/** Writes tracks of noise: two songs of each stem, and the end of one. */
const MAKE_TRACKS = `
import pathlib, sys
import numpy as np
from stems.data import save
out = pathlib.Path(sys.argv[1])
chance = np.random.default_rng(3)
for stem in ("vocals", "drums", "bass", "other"):
    for name in ("a", "b"):
        save(out, "songs", stem, name, chance.normal(0, 0.1, (60000, 2)))
    save(out, "held", stem, "a", chance.normal(0, 0.1, (60000, 2)))
`;

/** Prints how the files of a random score begin. */
const MAKE_SCORES = `
import pathlib, sys
import numpy as np
from stems.scores import write_scores
for stem, path in write_scores(np.random.default_rng(1), pathlib.Path(sys.argv[1])).items():
    print(stem, path.read_bytes()[:4].decode(), len(path.read_bytes()) > 500)
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stems-'));
});
afterAll(() => rm(folder, { recursive: true }));

function python(...args: string[]): string {
  const env = { ...process.env, OMP_NUM_THREADS: '1', PYTHONDONTWRITEBYTECODE: '1' };
  return execFileSync(PYTHON, args, {
    cwd: TRAINING,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

const train = (steps: number) =>
  python(
    '-m',
    'stems.train',
    ...['--data', folder, '--out', join(folder, 'run'), '--steps', String(steps)],
    ...['--size', '1', '--frames', '32'],
  );

describe.skipIf(!runs)('the training of the stems network', { timeout: 240_000 }, () => {
  test('writes a score for each stem', () => {
    expect(python('-c', MAKE_SCORES, folder)).toBe('drums MThd True\nbass MThd True\nother MThd True\n');
  });

  test('takes two steps, resumes for a third, and exports a graph of its contract', async () => {
    python('-c', MAKE_TRACKS, folder);
    const first = train(2);
    expect(first).toContain('"from_step": 0');
    expect(first).toContain('"sdr_and_mixture": {"vocals"');
    expect(train(3)).toContain('"from_step": 2');
    const path = join(folder, 'stems.onnx');
    python('-m', 'stems.export', '--checkpoint', join(folder, 'run/checkpoint.pt'), '--out', path);
    const { signal } = new AbortController();
    const graph = async () => new Uint8Array(await readFile(path));
    const session = await onnxProvider('cpu', graph).open(signal);
    try {
      const data = Float32Array.from({ length: 2 * FRAMES * ROWS }, (_, at) => 1 + Math.sin(at));
      const powers = { type: 'float32', dims: [1, 2, FRAMES, ROWS], data } as const;
      const { masks } = await session.run({ powers }, signal);
      expect(masks?.dims).toEqual([1, 4, FRAMES, ROWS]);
      const values = [...(masks?.data ?? [])].map(Number);
      for (const at of [0, 5_000, FRAMES * ROWS - 1]) {
        const sum = [0, 1, 2, 3].reduce(
          (total, stem) => total + (values[stem * FRAMES * ROWS + at] as number),
          0,
        );
        expect(sum).toBeCloseTo(1, 4);
      }
    } finally {
      await session.release();
    }
  });
});
