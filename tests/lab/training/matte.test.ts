// @module-tag long

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  encodeOnnxModel,
  type Graph,
  type GraphNode,
  resizeNode,
} from '../../../server/ops/build/graphs/onnx.ts';

const PYTHON = '/usr/bin/python3';
const TRAINING = resolve('lab/training');
const SCRIPTS = join(TRAINING, 'matte');
const ENV = { ...process.env, OMP_NUM_THREADS: '1', PYTHONDONTWRITEBYTECODE: '1' };
const PACKAGES = ['cv2', 'numpy', 'onnx', 'torch'];
const FIND = `import importlib.util; print(*[name for name in ${JSON.stringify(PACKAGES)} if not importlib.util.find_spec(name)])`;
const found = spawnSync(PYTHON, ['-c', FIND], { encoding: 'utf8' });
const hasPython = found.status === 0;
const missing = hasPython ? found.stdout.split(/\s+/).filter(Boolean) : PACKAGES;

/** Appends the reason to the title of tests that cannot run on this machine. */
function titled(title: string, runs: boolean): string {
  const lacking = hasPython ? `${PYTHON} lacks ${missing.join(', ')}` : `there is no ${PYTHON}`;
  return runs ? title : `${title} (not applicable: ${lacking})`;
}

/**
 * Parses every script, and prints one line for each name that a script imports from another one which lacks it.
 * @remarks It runs nothing of them: their packages may be missing.
 */
const CHECK_IMPORTS = `
import ast, pathlib, sys
root = pathlib.Path(sys.argv[1])
paths = root.rglob("*.py")
trees = {".".join(path.relative_to(root).with_suffix("").parts): ast.parse(path.read_text(), str(path)) for path in paths}
def names(node):
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", node)]
    return {name for target in targets for part in ast.walk(target) for name in [getattr(part, "id", getattr(part, "name", None))]}
defined = {module: set().union(*map(names, tree.body)) for module, tree in trees.items()}
for module, tree in sorted(trees.items()):
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module in trees or node.module.split(".")[0] in {name.split(".")[0] for name in trees}):
            for alias in node.names:
                if alias.name not in defined.get(node.module, set()):
                    print(f"{module}: {node.module} has no {alias.name}")
print(f"{len(trees)} scripts")
`;

/**
 * Runs a module of the training scripts.
 * @returns its standard output
 */
function python(module: string, options: Record<string, string | number>): string {
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return execFileSync(PYTHON, ['-m', module, ...args], {
    cwd: TRAINING,
    encoding: 'utf8',
    env: ENV,
    timeout: 240_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** Draws an ellipse of one colour on another: as RGB with its mask, or as one RGBA cutout. */
async function drawEllipse(path: string, background: string): Promise<void> {
  const shape = (fill: string) =>
    Buffer.from(
      `<svg width="96" height="80"><rect width="96" height="80" fill="${fill}"/>` +
        `<ellipse cx="48" cy="40" rx="26" ry="20" fill="${fill === 'black' ? 'white' : '#c84020'}"/></svg>`,
    );
  await sharp(shape(background)).jpeg().toFile(`${path}.jpg`);
  await sharp(shape('black')).greyscale().png().toFile(`${path}.png`);
}

/** Makes graphs with the teachers' names and shapes: each value is a random mixture of the colours around it. */
async function makeTeachers(models: string): Promise<void> {
  await Promise.all(
    ['teachers', 'files', 'standins'].map((name) => mkdir(join(models, name), { recursive: true })),
  );
  const constants: Record<string, { dims: number[]; values: number[] }> = {};
  const look = (output: string, channels: number, side: number): GraphNode => {
    const values = Array.from(
      { length: channels * 3 * side * side },
      (_, at) => Math.sin(at * 7.1) / side ** 2,
    );
    constants[`${output} weight`] = { dims: [channels, 3, side, side], values };
    const attributes = { strides: [side, side] };
    return { op: 'Conv', inputs: ['planes', `${output} weight`], outputs: [output], attributes };
  };
  const graph = (side: number, outputs: readonly string[], nodes: readonly GraphNode[]): Graph => ({
    inputs: [{ name: 'image', type: 'float32', dims: ['count', side, side, 3] }],
    outputs: outputs.map((name) => ({
      name,
      type: 'float32',
      dims: ['count', 'channels', 'rows', 'columns'],
    })),
    nodes: [
      { op: 'Transpose', inputs: ['image'], outputs: ['planes'], attributes: { perm: [0, 3, 1, 2] } },
      ...nodes,
    ],
    constants,
  });
  const features = 'MobilenetV2/expanded_conv_16/project/BatchNorm/FusedBatchNorm';
  const classes = 'logits/semantic/BiasAdd';
  const deeplab = graph(257, [classes], [look(features, 160, 8), look(classes, 21, 8)]);
  const people = 'activation_10_raw_output___4:0';
  const selfie = graph(
    256,
    [people],
    [
      look('multiply_6:0', 128, 16),
      look('logit', 1, 1),
      { op: 'Sigmoid', inputs: ['logit'], outputs: [people] },
    ],
  );
  const things = graph(256, ['block_15_add'], [look('block_12_add', 96, 16), look('block_15_add', 160, 32)]);
  const stages = [look('t618', 64, 16), look('t636', 64, 8), look('t730', 1, 1)];
  const general: Graph = {
    ...graph(320, ['t730'], stages),
    inputs: [{ name: 'planes', type: 'float32', dims: ['count', 3, 320, 320] }],
    nodes: stages,
  };
  await writeFile(join(models, 'standins/u2netp.converted.onnx'), encodeOnnxModel(general));
  await writeFile(join(models, 'teachers/deeplab_v3_1_default_1.onnx'), encodeOnnxModel(deeplab));
  await writeFile(join(models, 'mobilenet.onnx'), encodeOnnxModel(things));
  await writeFile(join(models, 'files/selfie_segmentation.onnx'), encodeOnnxModel(selfie));
}

/** Makes a tree shaped as the training data: images with masks, a cutout, and the scenes that subjects.json names. */
async function makeData(root: string): Promise<void> {
  const train = join(root, 'shared/data/train');
  const folders = ['davis', 'coco', 'coco2', 'kuih', 'leaves', 'pets', 'fluent3d', 'clothes_unlabelled'];
  await Promise.all(folders.map((name) => mkdir(join(train, 'matting', name), { recursive: true })));
  await mkdir(join(train, 'photos'));
  await mkdir(join(root, 'labels'));
  await mkdir(join(root, 'agreed'));
  await writeFile(join(train, 'MANIFEST.tsv'), '');
  await drawEllipse(join(train, 'matting/davis/parkour_00000'), '#406080');
  await drawEllipse(join(train, 'matting/pets/Abyssinian_1'), '#204060');
  await drawEllipse(join(root, 'labels/made'), '#d0d0c0');
  await drawEllipse(join(root, 'labels/db_can_00'), '#209060');
  const cutout = '<svg width="64" height="64"><circle cx="32" cy="32" r="28" fill="#3070e0"/></svg>';
  await sharp(Buffer.from(cutout)).webp().toFile(join(train, 'matting/fluent3d/ball.webp'));
  const { scenes } = JSON.parse(await readFile(join(SCRIPTS, 'subjects.json'), 'utf8'));
  const scene = await sharp({ create: { width: 160, height: 120, channels: 3, background: '#708050' } })
    .jpeg()
    .toBuffer();
  await Promise.all(scenes.map((name: string) => writeFile(join(train, 'photos', name), scene)));
}

describe.skipIf(!hasPython)(titled('the scripts, without the packages of training', hasPython), () => {
  test('parse, and import only existing names from each other', async () => {
    const scripts = (await readdir(TRAINING, { recursive: true })).filter((name) => name.endsWith('.py'));
    const output = execFileSync(PYTHON, ['-c', CHECK_IMPORTS, TRAINING], { encoding: 'utf8' });
    expect(output.trim().split('\n')).toEqual([`${scripts.length} scripts`]);
  });

  test('attribution lists the images that training reads, each photo with its own address', async () => {
    const root = await mkdtemp(join(tmpdir(), 'matte-sources-'));
    const photo = 'image CC BY 2.0 (https://flickr.example/1)';
    const rows = [
      ['path', 'source_repo', 'license_as_stated'],
      ['matting/davis/parkour_00000.jpg', 'MathLee/EOR-VOS', 'CC BY 4.0, stated there'],
      ['matting/davis/parkour_00001.jpg', 'MathLee/EOR-VOS', 'CC BY 4.0, stated there'],
      ['matting/davis/parkour_00000.png', 'MathLee/EOR-VOS', 'CC BY 4.0, stated there'],
      ['matting/coco/1.jpg', 'someone/coco', photo],
      ['noise/unread.wav', 'someone/else', 'MIT'],
    ];
    await mkdir(join(root, 'data/train'), { recursive: true });
    await writeFile(join(root, 'data/train/MANIFEST.tsv'), rows.map((row) => row.join('\t')).join('\n'));
    const sources = python('attribution', { shared: root });
    expect(sources).toMatch(/^\| 2 \| DAVIS 2016, .* \| CC BY 4\.0 \| github\.com\/MathLee\/EOR-VOS \|$/m);
    expect(sources).toContain('| 1 | photos of COCO 2017, below;');
    expect(sources).toContain('- CC BY 2.0: <https://flickr.example/1>');
    expect(sources).not.toContain('someone/else');
    const [, notice = ''] = (await readFile(resolve('models/weights/SOURCES.md'), 'utf8')).split('\n\n');
    expect(notice).toContain('own-matte.onnx');
    expect(sources).toContain(notice);
    await rm(root, { recursive: true });
  });
});

/**
 * Draws what three teachers see of a shirt, and of one on which they disagree, and prints which of them agree.py keeps.
 */
const AGREE = `
import pathlib, sys
import cv2
import numpy as np
from matte import agree
root = pathlib.Path(sys.argv[1])
for name, seen in (("shirt", 60), ("doubtful", 30)):
    photo = np.full((120, 120, 3), 200, np.uint8)
    photo[30:90, 30:90] = (40, 60, 160) if name == "shirt" else 200
    cv2.imwrite(str(root / f"shared/data/train/matting/clothes_unlabelled/{name}.jpg"), photo)
    for teacher, side in (("u2netp", 60), ("own", seen)):
        mask = np.zeros((120, 120), np.uint8)
        mask[30 : 30 + side, 30 : 30 + side] = 255
        path = root / "taught" / teacher / "clothes_unlabelled" / f"{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(path), mask)
sys.argv = ["agree", "--shared", str(root / "shared"), "--taught", str(root / "taught"), "--out", str(root / "agreed")]
agree.main()
print(*sorted(path.name for path in (root / "agreed").iterdir()))
`;

/** Prints the shape to which a graph resizes 16x16 pixels, and how a graph reacts to a second array. */
const RESIZE = `
import sys
import numpy as np
from common.onnx_in_torch import OnnxInTorch
graph = OnnxInTorch(sys.argv[1])
pixels = np.zeros((1, 3, 16, 16), np.float32)
print(*graph(pixels).shape)
try:
    graph(pixels, pixels)
except ValueError:
    print("refused")
`;

describe.skipIf(missing.length > 0)(titled('matte training', missing.length === 0), () => {
  let root: string;
  const train = (steps: number) =>
    python('matte.train', {
      shared: join(root, 'shared'),
      labels: join(root, 'labels'),
      agreed: join(root, 'agreed'),
      mobilenet: join(root, 'shared/models/mobilenet.onnx'),
      out: join(root, 'out'),
      steps,
      minutes: 5,
      batch: 6,
      sides: 64,
      workers: 0,
      threads: 1,
    });
  const line = (output: string, index: number) => JSON.parse(output.trim().split('\n').at(index) as string);

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'matte-'));
    await makeData(root);
    await makeTeachers(join(root, 'shared/models'));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  test('graphs in torch resize to small sizes as to large ones, and take no more arrays than inputs', async () => {
    const dims = [1, 3, 'height', 'width'];
    const path = join(root, 'resize.onnx');
    const { node, constants } = resizeNode('image', 'small', [1, 3, 8, 6]);
    const ports = (name: string) => [{ name, type: 'float32', dims }] as const;
    await writeFile(
      path,
      encodeOnnxModel({ inputs: ports('image'), outputs: ports('small'), nodes: [node], constants }),
    );
    const output = execFileSync(PYTHON, ['-c', RESIZE, path], { cwd: TRAINING, encoding: 'utf8', env: ENV });
    expect(output.trim().split('\n')).toEqual(['1 3 8 6', 'refused']);
  });

  test('a photo without a mask gets one where two teachers agree, and is left out elsewhere', () => {
    const options = { cwd: TRAINING, encoding: 'utf8', env: ENV } as const;
    const output = execFileSync(PYTHON, ['-c', AGREE, root], options);
    expect(output.trim().split('\n')).toEqual(['{"seen": 2, "agreed": 1}', 'shirt.jpg shirt.png']);
  });

  test('training runs two steps, resumes for two more from a checkpoint, and exports a graph equal to the model', async () => {
    const first = line(train(2), -1);
    expect(first.steps).toBe(2);
    expect(first.loss).toBeGreaterThan(0);
    expect(first.distillation).toBeGreaterThan(0);

    const resumed = train(4);
    expect(line(resumed, 0).from_step).toBe(2);
    expect(line(resumed, -1).steps).toBe(4);

    const options = { checkpoint: join(root, 'out/checkpoint.pt'), out: join(root, 'weights') };
    const card = line(python('matte.export', options), -1);
    expect(card.bytes).toBe((await stat(join(root, 'weights/own-matte.onnx'))).size);
    expect(card.bytes).toBeLessThanOrEqual(8_000_000);
    expect(card.difference_from_float32).toBeLessThan(1 / 255);
  }, 300_000);
});
