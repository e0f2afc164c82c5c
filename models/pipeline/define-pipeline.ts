import {
  BATCH_ITEMS_MAX,
  defineOperation,
  type NamePattern,
  type Operation,
  type OperationPart,
} from '../core/operation/define-operation.ts';
import { isDirectOnly } from '../core/operation/direct-response.ts';
import type { Media } from '../core/operation/inputs.ts';
import type { Lane } from '../core/operation/job.ts';
import type { Json } from '../core/operation/json.ts';
import type { MicroUsd } from '../core/operation/money.ts';
import type { RunLimits, TestFile, TestResult } from '../core/operation/run-result.ts';
import { getAudioContainer, SIGNATURE_BYTES } from '../media/audio/formats/audio-container.ts';
import { detectMedia } from '../media/containers/video-header.ts';
import {
  inStep,
  nameStepFile,
  type PipelineFacts,
  type PlannedStep,
  planSteps,
  probeForSteps,
} from './plan-steps.ts';
import { listOutputs } from './recipes.ts';
import {
  applyOverrides,
  createParamsSchema,
  getRecipe,
  getStepOperation,
  type PipelineParams,
  type StepOperations,
} from './schema.ts';

const IMAGE_BYTES_MAX = 50_000_000;
const MEDIA_BYTES_MAX = 500_000_000;
/** Largest run, in seconds: that of the longest recording, several times. */
const RUN_SECONDS_MAX = 14_400;
/** Largest run in the lane that clients wait for, in seconds: that of 16 plain conversions. */
const INTERACTIVE_SECONDS_MAX = 3_840;
const KINDS: readonly Media[] = ['image', 'audio', 'video'];

const INPUTS = {
  image_url: {
    media: ['image'],
    encoding: 'url',
    bytesMax: IMAGE_BYTES_MAX,
    description: 'HTTP(S) URL of an image of at most 50 MB.',
  },
  image_b64: {
    media: ['image'],
    encoding: 'base64',
    bytesMax: IMAGE_BYTES_MAX,
    description: 'The bytes of an image of at most 50 MB.',
  },
  audio_url: {
    media: ['audio', 'video'],
    encoding: 'url',
    description: 'HTTP(S) URL of an audio file, or a video with audio, of at most 500 MB.',
  },
  video_url: {
    media: ['video'],
    encoding: 'url',
    description: 'HTTP(S) URL of a video of at most 500 MB.',
  },
} as const;

type Amounts = Readonly<Record<string, MicroUsd>>;

/** Defines the operation that runs others as the steps of one job. @param operations that steps may name, by id */
export function definePipeline(operations: StepOperations) {
  const all = Object.values(operations);
  const params = createParamsSchema(operations);
  const plan = (facts: PipelineFacts, given: PipelineParams) =>
    planSteps(operations, facts, getRecipe(given).steps);
  const partsOf = (given: PipelineParams) => getParts(operations, given);
  return defineOperation({
    id: 'pipeline',
    title: 'Recipes',
    summary: 'Runs several operations on one file as one job: each step reads the input or an earlier step.',
    path: '/v2/pipelines',
    authentication: 'either',
    inputs: INPUTS,
    params,
    complete: applyOverrides,
    parts: partsOf,
    partPrices: (facts: PipelineFacts, given, amounts) => getPrices(plan(facts, given), amounts),
    attachments: (given) =>
      partsOf(given).flatMap(({ operation, params: own, path }) =>
        operation
          .attachments(own)
          .map((each) => ({ ...each, name: `${path}.${each.name}`, operationId: operation.id })),
      ),
    async probe(input, media): Promise<PipelineFacts> {
      const named = KINDS.find((each) => media?.includes(each));
      const kind = (await detectMedia(input)) ?? named ?? ((await isAudio(input)) ? 'audio' : 'image');
      return await probeForSteps(operations, input, kind);
    },
    lane: (facts: PipelineFacts, given) => getLane(plan(facts, given)),
    limits: {
      inputBytesMax: MEDIA_BYTES_MAX,
      runSecondsMax: RUN_SECONDS_MAX,
      memoryBytesMax: Math.max(...all.map(({ limits }) => limits.memoryBytesMax)),
    },
    limitsFor: (facts: PipelineFacts, given, modelBytesMax) => getLimits(plan(facts, given), modelBytesMax),
    engineNeeds: (given) =>
      partsOf(given).flatMap(({ operation, params: own, path }) =>
        operation.engineNeeds(own).map((need) => ({ ...need, field: `${path}.${need.field}` })),
      ),
    rates: listRates(all),
    price: (facts: PipelineFacts, given, amounts) =>
      Object.values(getPrices(plan(facts, given), amounts)).reduce((sum, price) => sum + price, 0n),
    outputCount(given) {
      const outputs = listOutputs(getRecipe(given));
      return partsOf(given)
        .filter(({ id, operation }) => outputs.includes(id) && !isDirectOnly(operation))
        .reduce((sum, { operation, params: own }) => sum + operation.outputCount(own), 0);
    },
    command: { name: 'run_pipeline', earlierNames: ['pipeline'], suffix: '' },
    nameSuffix: (stem) => `-${stem.replace('.', '-')}`,
    namePattern: (given, stem) => findNamePattern(operations, given, stem),
    batch: { itemsMax: BATCH_ITEMS_MAX, shared: Object.keys(params.shape) },
    testResult: (facts: PipelineFacts, given) => describeTest(plan(facts, given), given),
    async load() {
      const { createRun } = await import('./run.ts');
      return { run: createRun(operations) };
    },
  });
}

/** Reports whether a file of no image or video format is a recording, for a run that names no kind. */
async function isAudio(input: Blob): Promise<boolean> {
  const head = await input.slice(0, SIGNATURE_BYTES).arrayBuffer();
  return getAudioContainer(new Uint8Array(head)) !== null;
}

function getParts(operations: StepOperations, given: PipelineParams): OperationPart[] {
  return getRecipe(given).steps.map((step, at) => ({
    id: step.id,
    operation: getStepOperation(operations, step.operation),
    params: step.params,
    path: `steps[${at}].params`,
  }));
}

/** Returns the rates of all operations, by operation and unit: `upscale.megapixel`. */
function listRates(operations: readonly Operation[]): Operation['rates'] {
  const rates = operations.flatMap(({ id, rates }) =>
    Object.entries(rates).map(([unit, rate]) => [`${id}.${unit}`, rate] as const),
  );
  return Object.fromEntries(rates);
}

function getPrices(plan: readonly PlannedStep[], amounts: Amounts): Record<string, MicroUsd> {
  const prices = plan.map(({ step, operation, facts }, at) => [
    step.id,
    inStep(at, () => operation.priced(amountsOf(operation, amounts)).price(facts, step.params)),
  ]);
  return Object.fromEntries(prices);
}

/** Returns the lane of the heaviest step, or that of long runs for steps that may take as long together. */
function getLane(plan: readonly PlannedStep[]): Lane {
  const lanes = plan.map(({ operation, facts, step }) => operation.laneFor(facts, step.params));
  // The memory of models does not matter here.
  const limits = plan.map(({ operation, facts, step }) => operation.limitsFor(facts, step.params, 0));
  const isLong = lanes.includes('long') || sumSeconds(limits) > INTERACTIVE_SECONDS_MAX;
  return isLong ? 'long' : 'interactive';
}

function sumSeconds(limits: readonly RunLimits[]): number {
  return limits.reduce((sum, { runSecondsMax }) => sum + runSecondsMax, 0);
}

function getLimits(plan: readonly PlannedStep[], modelBytesMax: number): RunLimits {
  const limits = plan.map(({ operation, facts, step }) =>
    operation.limitsFor(facts, step.params, modelBytesMax),
  );
  return {
    runSecondsMax: Math.min(RUN_SECONDS_MAX, sumSeconds(limits)),
    memoryBytesMax: Math.max(...limits.map(({ memoryBytesMax }) => memoryBytesMax)),
    ...sumProcessorSeconds(limits),
  };
}

/** Limits the processor time of steps that all have a limit. */
function sumProcessorSeconds(limits: readonly RunLimits[]): Pick<RunLimits, 'processorSecondsMax'> {
  const each = limits.flatMap(({ processorSecondsMax }) => processorSecondsMax ?? []);
  if (each.length < limits.length) return {};
  return { processorSecondsMax: each.reduce((sum, seconds) => sum + seconds, 0) };
}

/** Describes the result that a test key gets: each step's own, up to one that ends the job. */
function describeTest(plan: readonly PlannedStep[], given: PipelineParams): TestResult {
  const end = plan.findIndex(({ step, result }) => step.stop_if_flagged && result.details?.flagged === true);
  const ran = end < 0 ? plan : plan.slice(0, end + 1);
  const stopped = plan[end]?.step.id;
  const details = ran.map(({ step: { id }, result }): [string, Json] => [
    id,
    {
      ...result.details,
      engine: 'test',
      warnings: [],
      files: result.files.map(({ name }) => nameStepFile(id, name)),
    },
  ]);
  return {
    files: listOutputs(getRecipe(given)).flatMap((id) => {
      const files = ran.find(({ step }) => step.id === id)?.result.files ?? [];
      return files.map((file): TestFile => ({ ...file, name: nameStepFile(id, file.name) }));
    }),
    details: {
      steps: Object.fromEntries(details),
      ...(stopped !== undefined && { stopped_by: stopped }),
    },
  };
}

function findNamePattern(operations: StepOperations, given: unknown, stem: string): NamePattern | undefined {
  const [id = '', ...rest] = stem.split('.');
  const { steps = [] } = { ...(given as PipelineParams) };
  const step = steps.find((each) => each.id === id);
  const found =
    step && getStepOperation(operations, step.operation).namePattern?.(step.params, rest.join('.'));
  return found && { ...found, step: id };
}

/** Returns the amounts of one operation among those of a pipeline. */
function amountsOf(
  { id, rates }: Operation,
  amounts: Readonly<Record<string, MicroUsd>>,
): Record<string, MicroUsd> {
  const own = Object.keys(rates).map((unit) => [unit, amounts[`${id}.${unit}`]] as const);
  const known = own.filter((entry): entry is readonly [string, MicroUsd] => entry[1] !== undefined);
  return Object.fromEntries(known);
}
