import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { ProviderChain } from '../../../../models/core/inference/provider-chain.ts';
import { OperationError } from '../../../../models/core/operation/errors.ts';
import type { Session } from '../../../../models/core/runtime/inference.ts';
import type { Raster } from '../../../../models/core/runtime/raster.ts';
import { floatTensor } from '../../../../models/core/runtime/tensor.ts';
import { weightFileName } from '../../../../models/core/runtime/weight-card.ts';
import { getPlanes } from '../../../../models/operations/upscale/colour-planes.ts';
import { createReport, enlargePlanes } from '../../../../models/operations/upscale/enlarge-planes.ts';
import { enlargeStrips } from '../../../../models/operations/upscale/enlarge-strips.ts';
import { FrameEnlarger } from '../../../../models/operations/upscale/frame-enlarger.ts';
import type { UpscaleNetwork } from '../../../../models/operations/upscale/plan-passes.ts';
import { UPSCALERS } from '../../../../models/operations/upscale/upscalers.ts';
import { onnxProvider } from '../../../../server/runtime/inference/node-inference.ts';

const { signal } = new AbortController();
const OPTIONS = { signal, report: createReport(), onProgress: () => {} };
const NETWORKS = [...new Set(UPSCALERS.flatMap(({ networks }) => networks))].filter(
  ({ card }) => card.url === null,
);

/** Photograph, of odd sides and larger than a tile of 48 pixels. */
async function photograph(): Promise<Raster & { data: Uint8Array<ArrayBuffer> }> {
  const { data, info } = await sharp('public/samples/lemur.jpg')
    .extract({ left: 220, top: 90, width: 171, height: 133 })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

async function enlarge(
  network: UpscaleNetwork,
  image: Raster,
  adapt = (session: Session) => session,
): Promise<Uint8Array> {
  async function* strips() {
    yield image;
  }
  return withSession(network, async (session) => {
    const { width, height } = image;
    const source = { width, height, bitDepth: 8, strips: strips() } as const;
    const result = enlargeStrips(source, network, adapt(session), {
      ...OPTIONS,
      report: createReport(),
    });
    const parts: Uint8Array[] = [];
    for await (const { data } of result.strips) parts.push(data.slice() as Uint8Array);
    return new Uint8Array(Buffer.concat(parts));
  });
}

async function withSession<Value>(network: UpscaleNetwork, use: (session: ProviderChain) => Promise<Value>) {
  const read = async () =>
    new Uint8Array(readFileSync(resolve('models/weights', weightFileName(network.card))));
  const session = await ProviderChain.open([onnxProvider('cpu', read)], signal);
  return use(session).finally(() => session.release());
}

function largestDifference(one: Uint8Array, other: Uint8Array): number {
  expect(one).toHaveLength(other.length);
  return one.reduce((most, sample, at) => Math.max(most, Math.abs(sample - (other[at] as number))), 0);
}

describe.each(NETWORKS)('$card.id', (network) => {
  it('gives in small tiles what it gives at once, within one step', async () => {
    const image = await photograph();
    const whole = await enlarge({ ...network, tileSide: 1024 }, image);
    const tiled = await enlarge({ ...network, tileSide: 48 }, image);
    expect(largestDifference(tiled, whole)).toBeLessThanOrEqual(1);
  });

  it('leaves the two sides of a hard edge of alpha as they are', async () => {
    const image = await photograph();
    const edge = 84;
    const solid = (x: number) => (x < edge ? 255 : 0);
    for (let at = 3; at < image.data.length; at += 4) image.data[at] = solid(((at - 3) / 4) % image.width);
    const enlarged = await enlarge(network, image);
    const width = image.width * network.scale;
    const changed = enlarged.filter((sample, at) => {
      const from = Math.floor(((at >> 2) % width) / network.scale);
      const isBesideEdge = from === edge - 1 || from === edge;
      return at % 4 === 3 && !isBesideEdge && sample !== solid(from);
    });
    expect([...new Set(changed)]).toEqual([]);
  });

  it('needs what is around a tile', async () => {
    const image = await photograph();
    const whole = await enlarge({ ...network, tileSide: 1024 }, image);
    expect(
      largestDifference(await enlarge({ ...network, tileSide: 48, margin: 0 }, image), whole),
    ).toBeGreaterThan(8);
  });

  it('gives the same with too little memory for a tile, which it tries once', {
    tags: ['long'],
  }, async () => {
    const image = await photograph();
    const whole = await enlarge({ ...network, tileSide: 1024 }, image);
    let [failed, largest] = [0, 0];
    const halved = await enlarge({ ...network, tileSide: 1024 }, image, (session) => ({
      inputs: session.inputs,
      outputs: session.outputs,
      async run(feeds, abort) {
        const [, , height = 0, width = 0] = feeds.image?.dims ?? [];
        if (width * height > 9000) {
          failed += 1;
          throw new OperationError('unavailable', 'too little memory', { kind: 'out_of_memory' });
        }
        largest = Math.max(largest, width * height);
        return session.run(feeds, abort);
      },
    }));
    expect(largestDifference(halved, whole)).toBeLessThanOrEqual(1);
    expect(largest).toBeLessThanOrEqual(9000);
    // Each size that is too large fails once.
    expect(failed).toBeLessThanOrEqual(4);
  });

  it('gives the same frame of a video as it gives the image', async () => {
    const image = await photograph();
    const whole = await enlarge({ ...network, tileSide: 1024 }, image);
    await withSession(network, async (session) => {
      const { data } = await new FrameEnlarger(network, session, OPTIONS).enlarge(image);
      expect(largestDifference(data, whole)).toBeLessThanOrEqual(1);
    });
  });

  it('follows a fade that begins just next to a tile that stays as it is', { tags: ['long'] }, async () => {
    const { width, data: all } = await photograph();
    // The tiles of this image begin at 0 and 86 pixels.
    const image = { width, height: 24, data: all.subarray(0, width * 24 * 4) };
    const faded = (steps: number) => ({
      ...image,
      data: image.data.map((sample, at) => {
        const x = Math.floor(at / 4) % image.width;
        // Something else moves in the right tile, which is computed again each time.
        const change = x >= 140 ? (steps % 2) * 60 : x >= 86 && x < 100 ? steps : 0;
        return at % 4 === 3 ? 255 : (sample >> 1) + change;
      }),
    });
    await withSession(network, async (session) => {
      const running = new FrameEnlarger(network, session, OPTIONS);
      for (let step = 0; step < 100; step++) await running.enlarge(faded(step));
      const [{ data }, fresh] = [
        await running.enlarge(faded(100)),
        await new FrameEnlarger(network, session, OPTIONS).enlarge(faded(100)),
      ];
      expect(largestDifference(data, fresh.data)).toBeLessThanOrEqual(5);
    });
  });
});

it('counts the tiles that are too large for each network on its own', async () => {
  const [first, second] = NETWORKS as [UpscaleNetwork, UpscaleNetwork];
  const planes = getPlanes(await photograph(), { left: 0, top: 0, width: 171, height: 133 });
  const report = createReport();
  const sizes: number[] = [];
  const small = { name: 'image', type: 'float32', dims: [] } as const;
  const session = (scale: number, limit: number): Session => ({
    inputs: [small],
    outputs: [small],
    async run({ image }) {
      const [, , height = 0, width = 0] = image?.dims ?? [];
      sizes.push(width * height);
      if (width * height > limit)
        throw new OperationError('unavailable', 'too little memory', { kind: 'out_of_memory' });
      const dims = [1, 3, height * scale, width * scale];
      const outputs = {
        image: floatTensor('float32', dims, new Float32Array(3 * height * width * scale ** 2)),
      };
      return { outputs, provider: 'cpu', notices: [] };
    },
  });
  await enlargePlanes(first, session(first.scale, 12_000), planes, { signal, report });
  sizes.length = 0;
  await enlargePlanes(second, session(second.scale, 1e9), planes, { signal, report });
  expect(sizes).toEqual([171 * 133]);
});
