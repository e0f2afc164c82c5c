// Makes the studio's sample images: the procedural ridge, and the product's results for it and for the lemur
// (pymatting, MIT; see app/(studio)/files/samples.ts). Run again with `MODELS_OFFLINE=1 npx tsx scripts/samples.ts`
// after a change; the results are committed.
import { openAsBlob } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { OPERATIONS, type OperationId } from '../models/registry.ts';
import { readEnv } from '../server/env.ts';
import { openInference } from '../server/runtime/inference/index.ts';
import { createNodeRuntime } from '../server/runtime/node-runtime.ts';

type Colour = readonly [red: number, green: number, blue: number];

const SKY: readonly Colour[] = [
  [22, 24, 48],
  [74, 52, 88],
  [196, 92, 78],
  [250, 176, 104],
  [255, 222, 168],
];
const SUN = { x: 0.64, y: 0.5, radius: 0.052 };
const LAKE_AT = 0.74;

/** Returns a lattice hash in 0..1 (after Inigo Quilez, "value noise"). */
function hash(x: number, y: number): number {
  const s = Math.sin(x * 127.1 + y * 311.7) * 43758.5453;
  return s - Math.floor(s);
}

function valueNoise(x: number, y: number): number {
  const [x0, y0] = [Math.floor(x), Math.floor(y)];
  const [u, v] = [x - x0, y - y0].map((t) => t * t * (3 - 2 * t)) as [number, number];
  const top = hash(x0, y0) * (1 - u) + hash(x0 + 1, y0) * u;
  const bottom = hash(x0, y0 + 1) * (1 - u) + hash(x0 + 1, y0 + 1) * u;
  return top * (1 - v) + bottom * v;
}

function fractalNoise(x: number, y: number, octaves: number): number {
  let sum = 0;
  for (let octave = 0; octave < octaves; octave++) {
    sum += valueNoise(x * 2 ** octave, y * 2 ** octave) / 2 ** (octave + 1);
  }
  return sum;
}

const mix = (a: Colour, b: Colour, t: number): Colour => [
  a[0] + (b[0] - a[0]) * t,
  a[1] + (b[1] - a[1]) * t,
  a[2] + (b[2] - a[2]) * t,
];

function sky(x: number, y: number): Colour {
  const at = Math.min(0.999, Math.max(0, y / 0.62)) * (SKY.length - 1);
  const index = Math.floor(at);
  let colour = mix(SKY[index] as Colour, SKY[index + 1] as Colour, at - index);
  const cloud = Math.max(0, fractalNoise(x * 3 + 7, y * 14, 6) - 0.52) * 2.4 * Math.min(1, y * 2.4);
  colour = mix(colour, [255, 196, 150], Math.min(0.75, cloud));
  const distance = Math.hypot((x - SUN.x) * 1.5, y - SUN.y);
  const glow = Math.exp(-distance * 6) * 0.7;
  colour = mix(colour, [255, 236, 200], glow);
  return distance < SUN.radius ? [255, 246, 226] : colour;
}

/** Returns the height of a ridge's edge at x, from the top, for the ridge `index` of `RIDGES` (0 is farthest). */
function ridgeEdge(x: number, index: number): number {
  const rough = 1 + index * 0.7;
  return (
    0.48 +
    index * 0.062 -
    (fractalNoise(x * (2 + rough) + index * 19.3, index * 5.1, 8) - 0.45) * (0.34 - index * 0.03)
  );
}

const RIDGES = 5;

function land(x: number, y: number): Colour | undefined {
  for (let index = RIDGES - 1; index >= 0; index--) {
    const edge = ridgeEdge(x, index);
    if (y < edge) continue;
    const near = index / (RIDGES - 1);
    const haze = mix([214, 122, 98], [20, 18, 26], near ** 0.7);
    const texture = (fractalNoise(x * 60, y * 60, 4) - 0.47) * 34 * near;
    const mist = Math.min(1, (y - edge) * 5) * (1 - near) * 0.45;
    return mix([haze[0] + texture, haze[1] + texture, haze[2] + texture], [255, 190, 150], mist);
  }
  return undefined;
}

function scene(x: number, y: number): Colour {
  if (y <= LAKE_AT) return land(x, y) ?? sky(x, y);
  const depth = (y - LAKE_AT) / (1 - LAKE_AT);
  const ripple = (fractalNoise(x * 26, y * 190, 4) - 0.47) * 0.05 * (0.3 + depth);
  const mirrored = LAKE_AT - (y - LAKE_AT) * 1.6 + ripple;
  const above = land(x + ripple * 0.3, mirrored) ?? sky(x + ripple * 0.3, mirrored);
  return mix(above, [14, 14, 24], 0.3 + depth * 0.35);
}

function render(width: number, height: number, grain: number): Sharp {
  const data = new Uint8Array(width * height * 3);
  let at = 0;
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const noise = (hash(column * 0.731, row * 0.917) - 0.5) * grain;
      for (const value of scene(column / height / 1.5, row / height)) {
        data[at++] = Math.max(0, Math.min(255, Math.round(value + noise)));
      }
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
}

await mkdir('public/samples', { recursive: true });
const print = await render(2400, 1600, 10).png().toBuffer();
await sharp(print).jpeg({ quality: 93 }).toFile('public/samples/ridge.jpg');

// The product's own results, for the home page.
const runtime = createNodeRuntime({
  signal: new AbortController().signal,
  inference: openInference(readEnv()),
});
await keepResult('media-convert-image', 'ridge.jpg', { to_format: 'avif', quality: 60 }, 'ridge.avif');
await keepResult('remove-bg', 'lemur.jpg', { output_format: 'webp' }, 'lemur-cutout.webp');

// All four in the sizes that pages show: the width at the end of the name says which they are.
await preview('ridge.jpg', 'ridge', 1200);
await preview('ridge.avif', 'ridge-result', 1200);
await preview('lemur.jpg', 'lemur', 680);
await preview('lemur-cutout.webp', 'lemur-result', 680);

async function preview(input: string, name: string, width: number): Promise<void> {
  const image = sharp(`public/samples/${input}`).resize(width);
  await image.avif({ quality: 55, effort: 9 }).toFile(`public/samples/${name}-${width}.avif`);
}

async function keepResult(id: OperationId, input: string, params: object, output: string): Promise<void> {
  const folder = 'public/samples';
  const result = await OPERATIONS[id].execute(await openAsBlob(`${folder}/${input}`), params, runtime);
  for (const { blob } of result.files) {
    await writeFile(`${folder}/${output}`, new Uint8Array(await blob.arrayBuffer()));
  }
}
