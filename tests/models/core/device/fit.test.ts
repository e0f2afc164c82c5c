import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { parseParams } from '../../../../models/core/operation/params.ts';
import {
  type Device,
  type FitRequest,
  fitModel,
  fitRun,
  type OperationEngine,
} from '../../../../models/core/runtime/fit.ts';
import { getInferenceDevice } from '../../../../models/core/runtime/inference-device.ts';
import { requiredParams } from '../../../../models/core/runtime/required-params.ts';
import { REMOVE_BG_WEIGHTS } from '../../../../models/matting/weights.ts';
import { mediaConvertImage } from '../../../../models/operations/convert/operation.ts';
import { imageModeration } from '../../../../models/operations/moderate/operation.ts';
import { removeBg } from '../../../../models/operations/remove-bg/operation.ts';
import { SINGLE_OPERATIONS } from '../../../../models/registry.ts';
import { imageFixture } from '../../../support/media/images.ts';

const {
  'birefnet-lite-fp16': BIREFNET,
  'isnet-general-use': ISNET,
  u2netp: SMALL,
  matte: BUNDLED,
} = REMOVE_BG_WEIGHTS;

interface Reported {
  memoryGb?: number | null;
  gpu?: { hasFloat16: boolean } | null;
  freeBytes?: number | null;
  stored?: ReadonlyMap<string, number> | null;
  hasThreads?: boolean;
}

function getDevice(reported: Reported = {}): Device {
  const { memoryGb = 8, gpu = null, freeBytes = 1e9, stored = new Map(), hasThreads = true } = reported;
  return {
    inference: getInferenceDevice({ gpu, memoryGb, coreCount: 4, isIsolated: hasThreads }),
    hasThreads,
    tabBytesMax: memoryGb === null ? null : memoryGb * 0.5e9,
    freeBytes,
    stored,
  };
}

describe('a model', () => {
  test('that needs a GPU fits only where there is one, with 16-bit floats and enough memory', () => {
    expect(fitModel(BIREFNET, getDevice())).toEqual({
      verdict: 'server',
      reason: 'Needs a graphics processor with 5.0 GB of memory; this browser gives this page none.',
    });
    expect(fitModel(BIREFNET, getDevice({ gpu: { hasFloat16: false } }))).toEqual({
      verdict: 'server',
      reason: 'Needs a graphics processor that computes with 16-bit numbers.',
    });
    expect(fitModel(BIREFNET, getDevice({ gpu: { hasFloat16: true }, memoryGb: 4 }))).toEqual({
      verdict: 'server',
      reason: 'Needs about 5.0 GB of memory; this browser has about 3.0 GB for it.',
    });
    const fit = fitModel(BIREFNET, getDevice({ gpu: { hasFloat16: true } }));
    expect(fit).toEqual({ verdict: 'download', bytes: BIREFNET.bytes, isKept: true });
  });

  test('of more memory than a tab gets is named with both numbers', () => {
    expect(fitModel(ISNET, getDevice({ memoryGb: 2 }))).toEqual({
      verdict: 'server',
      reason: 'Needs about 1.5 GB of memory; this browser has about 1.0 GB for it.',
    });
  });

  test('needs only the rest of its download, and that much storage', () => {
    const stored = new Map([['isnet-general-use.onnx', ISNET.bytes - 1_000_000]]);
    const left = { verdict: 'download', bytes: 1_000_000, isKept: true };
    expect(fitModel(ISNET, getDevice({ stored, freeBytes: 2e6 }))).toEqual(left);
    expect(fitModel(ISNET, getDevice({ freeBytes: 20e6 }))).toEqual({
      verdict: 'server',
      reason: 'Needs 179 MB of storage; this browser has 20 MB left for this site.',
    });
  });

  test('is here when it is bundled or stored, and comes each time where nothing can be stored', () => {
    expect(fitModel(BUNDLED, getDevice({ stored: null, freeBytes: null }))).toEqual({ verdict: 'here' });
    const stored = new Map([['u2netp.onnx', SMALL.bytes]]);
    expect(fitModel(SMALL, getDevice({ stored, freeBytes: 0 }))).toEqual({ verdict: 'here' });
    const each = { verdict: 'download', bytes: SMALL.bytes, isKept: false };
    expect(fitModel(SMALL, getDevice({ stored: null, freeBytes: null }))).toEqual(each);
  });
});

describe('a run', () => {
  const engine = (card: OperationEngine['card'], id = card?.id ?? 'plain'): OperationEngine => ({
    id,
    name: id,
    card,
  });
  const request = (part: Partial<FitRequest> = {}): FitRequest => ({
    engines: [engine(ISNET), engine(BUNDLED)],
    engine: 'auto',
    needs: {},
    serverRefusal: null,
    ...part,
  });

  test('takes the best engine that is here, else what can be downloaded, else the server', () => {
    expect(fitRun(request(), getDevice()).run).toEqual({ verdict: 'here' });
    const [large] = request().engines;
    const free = { ...ISNET, licence: { name: 'Apache-2.0' } };
    const onlyLarge = request({ engines: large ? [{ ...large, card: free }] : [] });
    expect(fitRun(onlyLarge, getDevice()).run).toMatchObject({ verdict: 'download', bytes: ISNET.bytes });
    // One whose licence is in doubt is taken by name only.
    expect(fitRun(request({ engines: large ? [large] : [] }), getDevice()).run.verdict).not.toBe('download');
    expect(fitRun(onlyLarge, getDevice({ memoryGb: 1 })).run.verdict).toBe('server');
  });

  test('with a named engine fits as that engine does', () => {
    const { run, engines } = fitRun(request({ engine: ISNET.id }), getDevice({ memoryGb: 1 }));
    expect(run).toBe(engines.get(ISNET.id));
    expect([run.verdict, engines.get(BUNDLED.id)?.verdict]).toEqual(['server', 'here']);
  });

  test('of a file that is too large for the tab needs the server, or fits nowhere', () => {
    const needs = { memoryBytes: 2e9 };
    const reason = 'This file needs about 2.0 GB of memory; this browser has about 500 MB for it.';
    const small = getDevice({ memoryGb: 1 });
    expect(fitRun(request({ engines: [], needs }), small).run).toEqual({ verdict: 'server', reason });
    expect(fitRun(request({ engines: [], needs, serverRefusal: 'Not there.' }), small).run).toEqual({
      verdict: 'nowhere',
      reason: `${reason} Not there.`,
    });
    expect(fitRun(request({ needs }), getDevice({ memoryGb: null })).run).toEqual({ verdict: 'here' });
  });

  test('does not offer an engine again that failed with the file', () => {
    const failures = { [ISNET.id]: { reason: 'It stopped.', mayRetry: false } };
    const { run, engines } = fitRun(request({ failures }), getDevice());
    expect(run).toEqual({ verdict: 'here' });
    expect(engines.get(ISNET.id)).toEqual({ verdict: 'server', reason: 'It stopped.', mayRetry: false });
  });

  test('on an image needs threads', async () => {
    const needs = await mediaConvertImage.checkOnDevice(await imageFixture('grey.png'), {
      to_format: 'png',
    });
    const plain = { ...request({ engines: [], needs }) };
    expect(fitRun(plain, getDevice()).run).toEqual({ verdict: 'here' });
    expect(fitRun(plain, getDevice({ hasThreads: false })).run).toEqual({
      verdict: 'server',
      reason: 'Reading images needs threads that share memory, and this browser gives this page none.',
    });
  });

  test('of the background remover reads on a device what the server does not', async () => {
    const gif = await imageFixture('animated.gif');
    await expect(removeBg.quote(gif, {})).rejects.toMatchObject({ code: 'bad_request' });
    expect(await removeBg.checkOnDevice(gif, {})).toMatchObject({ memoryBytes: expect.any(Number) });
    expect(removeBg.engines?.map(({ id }) => id)).toContain(BIREFNET.id);
  });

  test('of the check for harm reads on a device images that are too large for the server', async () => {
    const create = { width: 3000, height: 2500, channels: 3, background: '#808080' } as const;
    const large = new Blob([new Uint8Array(await sharp({ create }).jpeg().toBuffer())]);
    await expect(imageModeration.quote(large, {})).rejects.toMatchObject({ code: 'bad_request' });
    expect(await imageModeration.checkOnDevice(large, {})).toMatchObject({ memoryBytes: 300_000_000 });
  });
});

test.each(Object.values(SINGLE_OPERATIONS))(
  'the required params of $id are enough for a run',
  ({ params }) => {
    expect(() => parseParams(params, requiredParams(params))).not.toThrow();
  },
);
