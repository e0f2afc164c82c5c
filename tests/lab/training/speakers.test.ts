// @module-tag long

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProviderSession } from '../../../models/core/inference/provider-chain.ts';
import { onnxProvider } from '../../../server/runtime/inference/node-inference.ts';

const PYTHON = '/usr/bin/python3';
const TRAINING = resolve('lab/training');
const FIND = `import importlib.util, sys; sys.exit(any(not importlib.util.find_spec(n) for n in ("numpy", "onnx", "soundfile", "torch")))`;
const runs = spawnSync(PYTHON, ['-c', FIND]).status === 0;

/** Writes features of six voices and one held-out speaker, and windows of two speakers to measure on, all random. */
const MAKE_FEATURES = `
import json, pathlib, sys
import numpy as np
out = pathlib.Path(sys.argv[1])
chance = np.random.default_rng(3)
rows = [("wuw2", f"wuw_{n:03d}", 1.0) for n in (0, 1)] + [("asc", "asc_00000001", speed) for speed in (0.9, 1.0)]
rows += [("librispeech", "libri_19", 1.0), ("speechocean", "ocean_0005", 1.0)] + [("wuw2", "wuw_005", 1.0)] * 2
own = dict(pitch=1.0, formants=1.0)
table = [dict(corpus=c, speaker=s, speed=v, **own, at=200 * n, frames=200) for n, (c, s, v) in enumerate(rows)]
np.save(out / "speech.npy", chance.normal(8, 3, (200 * len(rows), 80)).astype(np.float16))
np.save(out / "noise.npy", chance.normal(3, 2, (300, 80)).astype(np.float16))
(out / "table.json").write_text(json.dumps({"speech": table, "noise": [0, 300]}))
speakers = np.repeat(["a", "b"], 4)
voices = np.where(speakers == "a", 6, 9)[:, None, None] + chance.normal(0, 1, (8, 150, 80))
kinds = {"shared": np.zeros(8), "random": np.arange(8), "sessions": np.arange(8) % 2}
arrays = {f"{k}_{part}": v for k, g in kinds.items() for part, v in (("bands", voices.astype(np.float16)), ("speakers", speakers), ("groups", g))}
np.savez(out / "trials.npz", **arrays)
np.savez(out / "targets.npz", partials=chance.normal(0, 1, (len(rows), 3, 256)).astype(np.float16))
`;

/** Hears two tones through a room, noise and each codec, and prints what of the sound arrives at the other end. */
const HEAR_CHANNELS = `
import numpy as np
from speakers.trials import Channel, over_codec, spectrum, windows_of, with_spectrum
chance = np.random.default_rng(5)
time = np.arange(32000) / 16000
tones = (np.sin(2500 * time) + np.sin(9000 * time)).astype(np.float32) * 0.05
for kind in ("plain", "telephone", "opus"):
    print(kind, over_codec(tones, kind).shape)
first, second = chance.normal(0, 0.1, (2, 32000)).astype(np.float32)
coloured = np.convolve(second, [1, 0.9], "same").astype(np.float32)
matched = spectrum(with_spectrum(coloured, spectrum(first)))
print("matched", bool(np.abs(np.log(matched / spectrum(first)))[4:200].mean() < 0.2))
heard = Channel(chance, [chance.normal(0, 1, 16000)]).hear(chance, first)
print("windows", len(windows_of(heard)))
`;

/** Adds a voice to those of MAKE_FEATURES: the fifth one's, with a higher pitch. */
const ADD_MOVED = `
import json, pathlib, sys
import numpy as np
out = pathlib.Path(sys.argv[1])
table = json.loads((out / "table.json").read_text())
table["speech"].append({**table["speech"][4], "pitch": 1.25})
(out / "table.json").write_text(json.dumps(table))
partials = np.load(out / "targets.npz")["partials"]
np.savez(out / "targets.npz", partials=np.concatenate([partials, -partials[4:5]]))
`;

/** Moves pitch and formants of a voice of 125 Hz, formants at 800 and 2400 Hz, and prints where they are then. */
const MOVE_VOICES = `
import numpy as np
from speakers.moved import moves_of, moving
hertz = np.arange(256) * 31.25
formants = sum(np.exp(-0.5 * ((hertz - at) / 250) ** 2) for at in (800, 2400))
power = np.exp(4 * formants + 2 * np.cos(2 * np.pi * hertz / 125))[None].repeat(3, axis=0).astype(np.float32)
def facts(change):
    log = np.log(change(power))[1]
    cepstrum = np.fft.irfft(log)[:255]
    smooth = np.fft.rfft(np.fft.irfft(log) * (np.minimum(np.arange(510), 510 - np.arange(510)) < 32)).real
    return round(16000 / (60 + np.argmax(cepstrum[60:240]))), int(hertz[10:45][np.argmax(smooth[10:45])])
for pitch, formants in ((1.0, 1.0), (1.25, 1.0), (0.8, 1.0), (1.0, 1.12), (0.8, 1.15)):
    print(pitch, formants, *facts(moving(pitch, formants)))
print(np.abs(np.log(moving(1.0, 1.0)(power) / power)).max() < 1e-3, moves_of("libri_19") == moves_of("libri_19"), len(moves_of("a")))
`;

/** Makes a conversation of three voices and one of a single voice, and prints what holds of both. */
const TALK_AT_A_TABLE = `
import numpy as np
from speakers.tables import conversation
chance = np.random.default_rng(4)
for names in ("abc", "a"):
    said = {name: chance.normal(0, 0.05, 16000 * 12).astype(np.float32) for name in names}
    samples, segments = conversation(chance, said)
    spoken = {name: sum(end - start for who, start, end in segments if who == name) for name in names}
    own = [[one for one in segments if one[0] == name] for name in names]
    print(sorted({who for who, _, _ in segments}))
    print("nothing twice", all(seconds <= 12.001 for seconds in spoken.values()))
    print("not over oneself", all(after[1] >= before[2] for of in own for before, after in zip(of, of[1:])))
    print("inside", segments[-1][2] <= len(samples) / 16000)
`;

/** Makes a conversation that one of three leads, and prints what holds of it. */
const LED_TALK = `
import numpy as np
from speakers.leads import behind, conversation
chance = np.random.default_rng(8)
said = {name: chance.normal(0, 0.05, 16000 * 40).astype(np.float32) for name in "abc"}
samples, segments = conversation(chance, said, 0.2)
spoken = {name: sum(end - start for who, start, end in segments if who == name) for name in said}
print("led", 0.65 < spoken["a"] / sum(spoken.values()) < 0.95, "all speak", min(spoken.values()) > 0)
own = [[one for one in segments if one[0] == name] for name in said]
print("not over oneself", all(after[1] >= before[2] - 1e-6 for of in own for before, after in zip(of, of[1:])))
heard = behind(chance, samples, [chance.normal(0, 1, 16000)] * 2)
print("as long", len(heard) == len(samples), bool(np.isfinite(heard).all()))
`;

/** Hears one loud moment through a room, and silence through every channel, and prints what becomes of them. */
const HEAR_BATCH = `
import numpy as np
from speakers.channels import heard, with_echo
chance = np.random.default_rng(6)
powers = np.full((3, 50, 80), 1e-7, np.float32)
powers[:, 0] = 1
tails = with_echo(chance, powers)[:, :, 40]
print("decays", bool((np.diff(tails[:, 1:10], axis=1) < 0).all()), "loudest first", bool((tails[:, 0] == 1).all()))
bands = np.full((40, 120, 80), 5, np.float32)
channels = heard(chance, bands, bands - 3)
print(channels.shape, channels.dtype, bool(np.isfinite(channels).all()), "all different", len(np.unique(channels.mean(axis=1), axis=0)))
`;

/** Writes samples of four voices, one of them held out, of noise and of music: tones that come and go. */
const MAKE_SAMPLES = `
import json, pathlib, sys
import numpy as np
out = pathlib.Path(sys.argv[1])
rows = [("wuw2", "wuw_000"), ("wuw2", "wuw_001"), ("picovoice_unlabelled", "file"), ("wuw2", "wuw_005"), ("wuw2", "wuw_014"), ("noise", "n"), ("music", "m")]
time = np.arange(32000)
sounds = [8000 * np.sin(time * (n + 1) / 9) * (time % 16000 < 12000) for n in range(len(rows))]
np.save(out / "samples.npy", np.concatenate(sounds).astype(np.int16))
np.save(out / "active.npy", np.tile(np.arange(200) % 100 < 75, len(rows)))
table = [dict(kind=k, speaker=s, at=32000 * n, samples=32000) for n, (k, s) in enumerate(rows)]
(out / "mixtures.json").write_text(json.dumps(table))
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'speakers-'));
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
    'speakers.train',
    ...['--data', folder, '--trials', join(folder, 'trials.npz'), '--out', join(folder, 'run')],
    ...['--steps', String(steps), '--batch', '4'],
  );

const trainOverlap = (steps: number) =>
  python(
    '-m',
    'speakers.overlap_train',
    ...['--data', folder, '--out', join(folder, 'overlap'), '--steps', String(steps)],
    ...['--batch', '2', '--tested', '4'],
  );

/** Runs a graph over frames of band energies. */
async function run(path: string, frames: number): Promise<Awaited<ReturnType<ProviderSession['run']>>> {
  const { signal } = new AbortController();
  const session = await onnxProvider('cpu', async () => new Uint8Array(await readFile(path))).open(signal);
  try {
    const data = Float32Array.from({ length: frames * 80 }, (_, at) => 8 + 3 * Math.sin(at));
    return await session.run({ bands: { type: 'float32', dims: [1, frames, 80], data } }, signal);
  } finally {
    await session.release();
  }
}

describe.skipIf(!runs)('the training of the speaker network', { timeout: 240_000 }, () => {
  test('hears voices through channels that leave their level and length, and makes their spectra alike', () => {
    expect(python('-c', HEAR_CHANNELS).trim().split('\n')).toEqual([
      'plain (32000,)',
      'telephone (32000,)',
      'opus (32000,)',
      'matched True',
      'windows 1',
    ]);
  });

  test('makes conversations that one speaker leads', () => {
    expect(python('-c', LED_TALK).trim().split('\n')).toEqual([
      'led True all speak True',
      'not over oneself True',
      'as long True True',
    ]);
  });

  test('makes conversations in which no one says a thing twice, or talks over themselves', () => {
    const holds = ['nothing twice True', 'not over oneself True', 'inside True'];
    const printed = python('-c', TALK_AT_A_TABLE).trim().split('\n');
    expect(printed).toEqual(["['a', 'b', 'c']", ...holds, "['a']", ...holds]);
  });

  test('hears each crop of a batch through its own channel', () => {
    expect(python('-c', HEAR_BATCH).trim().split('\n')).toEqual([
      'decays True loudest first True',
      '(40, 120, 80) float32 True all different 40',
    ]);
  });

  test('moves pitch and formants apart', () => {
    expect(python('-c', MOVE_VOICES).trim().split('\n')).toEqual([
      '1.0 1.0 125 812',
      '1.25 1.0 157 812',
      '0.8 1.0 101 812',
      '1.0 1.12 126 906',
      '0.8 1.15 101 937',
      'True True 4',
    ]);
  });

  test('takes two steps, resumes for a third, and exports a graph of its contract', async () => {
    python('-c', MAKE_FEATURES, folder);
    const measured = python('-m', 'speakers.measure', '--trials', join(folder, 'trials.npz'));
    expect(JSON.parse(measured)).toMatchObject({ floor: { shared: 0, random: 0, sessions: 0 } });
    expect(train(2)).toContain('"from_step": 0');
    expect(train(3)).toContain('"from_step": 2');
    const path = join(folder, 'speakers.onnx');
    python('-m', 'speakers.export', '--checkpoint', join(folder, 'run/checkpoint.pt'), '--out', path);
    const graph = python('-m', 'speakers.measure', '--trials', join(folder, 'trials.npz'), '--onnx', path);
    expect(graph).toContain('{"speakers.onnx": {"shared": ');
    for (const frames of [40, 130]) {
      const { embedding } = await run(path, frames);
      const values = [...(embedding?.data ?? [])].map(Number);
      expect(values).toHaveLength(128);
      expect(Math.hypot(...values)).toBeCloseTo(1, 3);
    }
    python('-c', ADD_MOVED, folder);
    const checkpoint = join(folder, 'run/checkpoint.pt');
    const grown = python(
      '-m',
      'speakers.grow',
      '--data',
      folder,
      '--checkpoint',
      checkpoint,
      '--out',
      checkpoint,
    );
    expect(grown.trim()).toBe('5 -> 6');
    python('-m', 'common.pack', '--checkpoint', checkpoint, '--out', checkpoint);
    expect(train(4)).toContain('"from_step": 3');
  });
});

describe.skipIf(!runs)('the training of the overlap network', { timeout: 240_000 }, () => {
  test('takes two steps, resumes for a third, and exports a graph of its contract', async () => {
    python('-c', MAKE_SAMPLES, folder);
    expect(trainOverlap(2)).toContain('"from_step": 0');
    expect(trainOverlap(3)).toContain('"from_step": 2');
    const path = join(folder, 'overlap.onnx');
    python(
      '-m',
      'speakers.overlap_export',
      '--checkpoint',
      join(folder, 'overlap/checkpoint.pt'),
      '--out',
      path,
    );
    for (const [frames, steps] of [
      [37, 10],
      [400, 100],
    ] as const) {
      const { overlap } = await run(path, frames);
      const values = [...(overlap?.data ?? [])].map(Number);
      expect(values).toHaveLength(steps);
      expect(values.every((value) => value > 0 && value < 1)).toBe(true);
    }
  });
});
