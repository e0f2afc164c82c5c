import { expect, test } from 'vitest';
import { mediaConvertImage } from '../../../../models/operations/convert/operation.ts';
import { imageOutpaint } from '../../../../models/operations/extend/operation.ts';
import { IMAGE_OUTPAINT_WEIGHTS } from '../../../../models/operations/extend/weights.ts';
import { chooseLimits } from '../../../../server/jobs/runner/choose-limits.ts';

const FACTS = { mediaType: 'image/png', format: 'png', width: 1000, height: 1000 };
const UNET_BYTES = IMAGE_OUTPAINT_WEIGHTS['sd15-inpaint-fp16/unet-model.onnx'].memoryBytes;

/** Chooses the limits of an extension on a machine that can load models of some sizes. */
function choose(engine: string, modelSizes: readonly number[], longBytesMax = 7_000_000_000) {
  const largestModelBytes = async (_id: string, most = Number.POSITIVE_INFINITY) =>
    Math.max(0, ...modelSizes.filter((size) => size <= most));
  const run = {
    operation: imageOutpaint,
    lane: 'long' as const,
    facts: FACTS,
    params: { engine, expand_left: 9 },
  };
  return chooseLimits(
    { ctx: { env: { PROCESSOR_LIMIT_FACTOR: 1 } }, lanes: { longBytesMax }, largestModelBytes },
    run,
  );
}

test('a run declares no memory for a named model that the machine cannot load', async () => {
  const { limits } = await choose('sd15-inpaint-fp16', [1_500_000_000]);
  expect(limits.memoryBytesMax).toBeLessThan(3_000_000_000);
});

test('a run keeps the model that it names, though a smaller one would leave more memory', async () => {
  const chosen = await choose('sd15-inpaint-fp16', [1_500_000_000, UNET_BYTES]);
  expect(chosen.modelBytesMax).toBeUndefined();
  expect(chosen.limits.memoryBytesMax).toBeGreaterThan(9_000_000_000);
});

test('a run keeps a named model of the others, too', async () => {
  const chosen = await choose('lama-fp32', [800_000_000, 1_500_000_000], 2_000_000_000);
  expect(chosen.modelBytesMax).toBeUndefined();
});

test('a run that names none uses a smaller model where the largest would leave too little', async () => {
  const sizes = [800_000_000, 1_500_000_000];
  expect(await choose('auto', sizes, 2_000_000_000)).toMatchObject({ modelBytesMax: 800_000_000 });
  expect((await choose('auto', sizes)).modelBytesMax).toBeUndefined();
});

test('a conversion may use 30 seconds of the processor, times the factor of the machine, and an extension any time', async () => {
  const run = {
    operation: mediaConvertImage,
    lane: 'interactive' as const,
    facts: FACTS,
    params: { to_format: 'avif' },
  };
  const machine = {
    ctx: { env: { PROCESSOR_LIMIT_FACTOR: 2 } },
    lanes: { longBytesMax: 7_000_000_000 },
    largestModelBytes: async () => 0,
  };
  expect((await chooseLimits(machine, run)).limits.processorSecondsMax).toBe(60);
  expect((await choose('sd15-inpaint-fp16', [])).limits.processorSecondsMax).toBeUndefined();
});
