import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { defineOperation } from '../../../models/core/operation/define-operation.ts';
import type { FinishedRun } from '../../../models/core/operation/direct-response.ts';
import { getProblem, OperationError } from '../../../models/core/operation/errors.ts';
import type { InputFacts } from '../../../models/core/operation/inputs.ts';
import { billableSeconds } from '../../../models/core/operation/money.ts';
import { clampedParam, listParam } from '../../../models/core/operation/params.ts';
import type { OutputFile, RunResult } from '../../../models/core/operation/run-result.ts';
import type { Runtime } from '../../../models/core/runtime/runtime.ts';
import { detectMedia } from '../../../models/media/containers/video-header.ts';
import { type ImageFacts, probeImage } from '../../../models/media/image/image-header.ts';

/** Operations of the shapes that the specification needs, with minimal work in each. */

const CATEGORIES = ['Hate', 'SelfHarm', 'Sexual', 'Violence'] as const;
const TARGETS = ['png', 'jpeg', 'jpg', 'webp'] as const;
const STEMS = { two: ['vocals', 'no_vocals'], four: ['vocals', 'drums', 'bass', 'other'] } as const;
const RUN = { runSecondsMax: 30, memoryBytesMax: 600_000_000 };

const file = (name: string, mediaType: string, text: string): OutputFile => ({
  name,
  mediaType,
  blob: new Blob([text]),
});
const result = (files: readonly OutputFile[], details: RunResult['details'] = {}): RunResult => ({
  files,
  details,
  engine: 'shape',
  warnings: [],
});
const probePicture = (input: Blob) => probeImage(input, { pixelsMax: 100_000_000 });

/** Recognises an `AUDIO` file with its seconds, or a video. */
async function probeSound(input: Blob): Promise<InputFacts & { readonly durationSeconds: number }> {
  const [, seconds] = /^AUDIO (\d+(?:\.\d+)?)/.exec(await input.slice(0, 32).text()) ?? [];
  if (seconds) return { mediaType: 'audio/wav', durationSeconds: Number(seconds) };
  if ((await detectMedia(input)) === 'video') return { mediaType: 'video/mp4', durationSeconds: 1.2 };
  const { mediaType } = await probePicture(input);
  return { mediaType, durationSeconds: 0 };
}

const moderationParams = z.strictObject({
  categories: listParam(CATEGORIES, CATEGORIES),
  severity_threshold: clampedParam([0, 2, 4, 6], 2),
  /** Test-only param: how the run behaves. */
  behaviour: z.enum(['judge', 'unavailable', 'corrupt', 'slow']).default('judge'),
});

async function moderate(_input: Blob, params: z.output<typeof moderationParams>, { signal }: Runtime) {
  const { categories, severity_threshold, behaviour } = params;
  if (behaviour === 'unavailable') throw new OperationError('unavailable', 'No engine judges Hate');
  if (behaviour === 'corrupt') throw new OperationError('unprocessable', 'The image is damaged.');
  if (behaviour === 'slow') await wait(5_000, undefined, { signal });
  const judged = categories.map((category) => ({ category, severity: category === 'Violence' ? 4 : 0 }));
  const flagged = judged.some(({ severity }) => severity >= severity_threshold);
  return result([], { flagged, categories: judged, severity_threshold });
}

const moderation = defineOperation({
  id: 'shape-moderation',
  title: 'Moderate',
  summary: 'Gives a verdict on an image.',
  path: '/shapes/moderation',
  authentication: 'subscription-key',
  inputs: {
    image_url: { media: ['image'], encoding: 'url', description: 'An image.' },
    image_b64: { media: ['image'], encoding: 'base64', description: 'An image.' },
  },
  params: moderationParams,
  lane: 'verdict',
  limits: { inputBytesMax: 4_000, ...RUN },
  probe: (input) => probeImage(input, { pixelsMax: 2048 * 2048, sideMax: 2048 }),
  rates: { image: { amount: 2_000n, per: 'image' } },
  price: () => 2_000n,
  waits: () => true,
  response: {
    schema: z
      .object({
        flagged: z.boolean(),
        categories: z.array(z.object({ category: z.enum(CATEGORIES), severity: z.literal([0, 2, 4, 6]) })),
        severity_threshold: z.literal([0, 2, 4, 6]),
        ms: z.int(),
      })
      .meta({ id: 'Moderation' }),
    members: ({ processingMs: ms }) => ({ ms }),
    outOfTime: 'refused',
  },
  errorOverrides: {
    insufficient_balance: { status: 403, title: 'Insufficient Balance' },
    unfetchable: getProblem('unprocessable'),
    unsupported: getProblem('unprocessable'),
    too_large: getProblem('unprocessable'),
    body_too_large: getProblem('unprocessable'),
    internal: getProblem('unavailable'),
  },
  attemptsMax: 1,
  testResult: () => ({ files: [] }),
  load: async () => ({ run: moderate }),
});

const stemParams = z.strictObject({
  stems: z.enum(['two', 'four']).default('two'),
  output_format: z.enum(['mp3', 'wav']).default('mp3'),
});

const stems = defineOperation({
  id: 'shape-stems',
  title: 'Separate stems',
  summary: 'Splits audio into several files.',
  path: '/shapes/stems',
  authentication: 'subscription-key',
  inputs: { audio_url: { media: ['audio', 'video'], encoding: 'url', description: 'A recording.' } },
  params: stemParams,
  lane: 'long',
  limits: { inputBytesMax: 1_000_000, ...RUN },
  limitsFor: ({ durationSeconds }, params) => ({
    runSecondsMax: 10 + durationSeconds * STEMS[params.stems].length,
    memoryBytesMax: params.stems === 'two' ? 500_000_000 : 2_000_000_000,
  }),
  probe: probeSound,
  rates: {},
  price: ({ durationSeconds }) => 5_000n * BigInt(billableSeconds(durationSeconds)),
  testResult: () => ({ files: [] }),
  async load() {
    return {
      run: async (_input, params) => {
        const mediaType = params.output_format === 'mp3' ? 'audio/mpeg' : 'audio/wav';
        return result(
          STEMS[params.stems].map((stem) => file(`${stem}.${params.output_format}`, mediaType, stem)),
        );
      },
    };
  },
});

const diarize = defineOperation({
  id: 'shape-diarize',
  title: 'Diarize',
  summary: 'Writes down who spoke when.',
  path: '/shapes/diarize',
  authentication: 'subscription-key',
  inputs: { audio_url: { media: ['audio', 'video'], encoding: 'url', description: 'A recording.' } },
  params: z.strictObject({ speaker_count: z.int().min(1).max(20).optional() }),
  lane: 'long',
  limits: { inputBytesMax: 1_000_000, ...RUN },
  probe: probeSound,
  rates: {},
  price: ({ durationSeconds }) => 5_000n * BigInt(billableSeconds(durationSeconds)),
  testResult: () => ({ files: [] }),
  async load() {
    return {
      run: async (_input, { speaker_count = null }) => {
        const document = { ok: true, speakers: speaker_count, segments: [] };
        return result([file('output.json', 'application/json', JSON.stringify(document))]);
      },
    };
  },
});

const outpaint = defineOperation({
  id: 'shape-outpaint',
  title: 'Extend',
  summary: 'Extends an image.',
  path: '/shapes/outpaint',
  authentication: 'subscription-key',
  inputs: { image_url: { media: ['image'], encoding: 'url', description: 'An image.' } },
  params: z.strictObject({
    zoom_out_percentage: z.number().min(0).optional(),
    num_images: z.int().min(1).max(8).default(1),
    output_format: z.enum(TARGETS).default('png'),
    sync_mode: z.boolean().default(false),
  }),
  lane: 'interactive',
  limits: { inputBytesMax: 1_000_000, ...RUN },
  probe: probePicture,
  rates: {},
  price: () => 120_000n,
  waits: ({ sync_mode }) => sync_mode,
  testResult: () => ({ files: [] }),
  async load() {
    return {
      run: async (_input, { num_images, zoom_out_percentage = 100 }) => {
        if (zoom_out_percentage === 13) throw new OperationError('unprocessable', 'The image is damaged.');
        const names = Array.from({ length: num_images }, (_, at) => `output-${at + 1}.png`);
        // The second file has another media type, which no real operation returns.
        return result(
          names.map((name, at) => file(name, at === 1 && num_images > 2 ? 'image/webp' : 'image/png', name)),
        );
      },
    };
  },
});

const OUTPUT_MEGAPIXELS_MAX = 100;
const outputPixels = ({ width, height }: ImageFacts, scale: number) => width * height * scale * scale;

const upscale = defineOperation({
  id: 'shape-upscale',
  title: 'Upscale',
  summary: 'Enlarges an image or a video.',
  path: '/shapes/upscale',
  authentication: 'bearer',
  inputs: {
    image_url: { media: ['image'], encoding: 'url', description: 'An image.' },
    video_url: { media: ['video'], encoding: 'url', description: 'A video.' },
  },
  params: z.strictObject({ scale: z.literal([2, 4, 8]).default(2) }),
  lane: 'interactive',
  limits: { inputBytesMax: 1_000_000, ...RUN },
  probe: probePicture,
  check(facts, { scale }) {
    const megapixels = outputPixels(facts, scale) / 1e6;
    if (megapixels <= OUTPUT_MEGAPIXELS_MAX) return;
    const message = `scale: the output would have ${megapixels.toFixed(1)} megapixels, of at most ${OUTPUT_MEGAPIXELS_MAX}. Choose a smaller scale.`;
    throw new OperationError('bad_request', message);
  },
  rates: {},
  price: (facts, { scale }) => 5_000n * BigInt(Math.ceil(outputPixels(facts, scale) / 1e6)),
  waits: () => true,
  response: {
    schema: z
      .object({
        status: z.literal('success'),
        output_url: z.string(),
        input_size: z.string(),
        output_size: z.string(),
        scale: z.number(),
        credits_used: z.number(),
      })
      .meta({ id: 'Upscale' }),
    members: ({ urls: [output_url], charged }: FinishedRun) => ({
      status: 'success' as const,
      output_url,
      credits_used: Number(charged) / 1_000,
    }),
    outOfTime: 'accepted',
  },
  testResult: () => ({ files: [] }),
  async load() {
    return {
      run: async (input, { scale }) => {
        const { width, height } = await probePicture(input);
        const sizes = {
          input_size: `${width}x${height}`,
          output_size: `${width * scale}x${height * scale}`,
        };
        return result([file('output.png', 'image/png', 'larger')], { ...sizes, scale });
      },
    };
  },
});

export const OPERATIONS = {
  'shape-moderation': moderation,
  'shape-stems': stems,
  'shape-diarize': diarize,
  'shape-outpaint': outpaint,
  'shape-upscale': upscale,
};

export const SHAPES = { operations: OPERATIONS, module: new URL(import.meta.url) };
