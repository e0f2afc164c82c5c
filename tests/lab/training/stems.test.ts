// @module-tag long

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onnxProvider } from '../../../server/runtime/inference/node-inference.ts';

const PYTHON = '/usr/bin/python3';
const TRAINING = resolve('lab/training');
const FIND = `import importlib.util, sys; sys.exit(any(not importlib.util.find_spec(n) for n in ("numpy", "onnx", "soundfile", "torch")))`;
const runs = spawnSync(PYTHON, ['-c', FIND]).status === 0;
const FRAMES = 256;
const ROWS = 384;

/** Writes tracks of noise: two songs of each stem, and a mixture that is held out. */
const MAKE_TRACKS = `
import pathlib, sys
import numpy as np
from stems.data import save
from stems.sounds import store
out = pathlib.Path(sys.argv[1])
chance = np.random.default_rng(3)
for stem in ("vocals", "drums", "bass", "other"):
    for name in ("a", "b"):
        save(out, "songs", stem, name, chance.normal(0, 0.1, (60000, 2)), None)
    store(out / "held" / "a" / f"{stem}.npy", chance.normal(0, 0.1, (60000, 2)))
`;

/** Prints how the files of a random piece begin. */
const MAKE_PIECE = `
import pathlib, sys
import numpy as np
from stems.pieces import random_piece, write_piece
chance = np.random.default_rng(1)
for stem, path in write_piece(chance, pathlib.Path(sys.argv[1]), random_piece(chance)).items():
    print(stem, path.read_bytes()[:4].decode(), len(path.read_bytes()) > 500)
`;

/** Prints the pitch, in Hz, and overtones of the pulses of an A of 220 Hz. */
const SING = `
import numpy as np
from stems.voices import SAMPLE_RATE, pulses
spectrum = np.abs(np.fft.rfft(pulses(np.full(SAMPLE_RATE, 220.0)) * np.hanning(SAMPLE_RATE)))
peaks = [int(at) for at in range(100, 1000) if spectrum[at] > 0.5 * spectrum.max() and spectrum[at] == spectrum[at - 20 : at + 21].max()]
print(peaks)
`;

/** Prints which effects keep a sound's shape, and whether all samples are finite. */
const AFFECT = `
import numpy as np
from stems import effects
names = ("equalised", "compressed", "distorted", "chorused", "delayed", "reverberated", "narrowed")
sound = np.random.default_rng(1).normal(0, 1, (50001, 2)).astype(np.float32)
for seed, name in enumerate(names):
    out = getattr(effects, name)(np.random.default_rng(seed), sound)
    print(name, out.shape == sound.shape and bool(np.isfinite(out).all()) and not np.allclose(out, sound, atol=1e-4))
`;

/** Prints by how much a net that starts from an export of the first U-Net, or of the whole net, differs from it. */
const START_WARM = `
import pathlib, sys
import torch
from torch import nn
from common.export import export
from stems.model import SEGMENT, StemsNet
from stems.spectra import ROWS
from stems.warm_start import warm_start
torch.manual_seed(2)
first, path = StemsNet(), pathlib.Path(sys.argv[1]) / "first.onnx"
for part in (first.down_across, first.up_across, first.refine, first.bottom) if sys.argv[2] == "first" else ():
    for at in range(len(part)):
        part[at] = nn.Identity()
for name, part in first.named_modules():
    if isinstance(part, nn.BatchNorm2d):
        part.running_mean.normal_(0, 0.1)
        part.running_var.uniform_(0.5, 2)
    if name.endswith((".up", ".second")) and ("across" in name or "refine" in name or "bottom" in name):
        part.weight.data.normal_(0, 0.1)
        part.bias.data.normal_(0, 0.1)
powers = torch.rand(1, 2, SEGMENT, ROWS) ** 8
export(first, powers, path, ("powers", "masks"))
net = StemsNet()
warm_start(net, path, powers)
with torch.no_grad():
    other = torch.rand(1, 2, SEGMENT, ROWS) ** 8
    print(float((net(other) - first(other)).abs().max()))
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
    ...['--data', folder, '--held', join(folder, 'held'), '--out', join(folder, 'run')],
    ...['--steps', String(steps), '--size', '1', '--frames', '32'],
  );

describe.skipIf(!runs)('the training of the stems network', { timeout: 240_000 }, () => {
  test('writes a score for each stem', () => {
    expect(python('-c', MAKE_PIECE, folder)).toBe('drums MThd True\nbass MThd True\nother MThd True\n');
  });

  test('sings at the pitch of a note and its overtones', () => {
    expect(python('-c', SING)).toBe('[220, 440, 660, 880]\n');
  });

  test('changes a sound by each effect, and keeps its length', () => {
    const lines = python('-c', AFFECT).trim().split('\n');
    expect(lines).toHaveLength(7);
    expect(lines.filter((line) => !line.endsWith(' True'))).toEqual([]);
  });

  test.each(['first', 'whole'])(
    'starts from the weights of the %s net without a change of its masks',
    (kind) => {
      expect(Number(python('-c', START_WARM, folder, kind))).toBeLessThan(0.005);
    },
  );

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
