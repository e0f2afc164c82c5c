import { describe, expect, test } from 'vitest';
import {
  type ClassicalEngine,
  type ModelEngine,
  runBestEngine,
} from '../../../../models/core/inference/engine-ladder.ts';
import { NO_MODELS } from '../../../../models/core/inference/model-errors.ts';
import { OperationError } from '../../../../models/core/operation/errors.ts';
import type { AcceptanceStatus } from '../../../../models/core/runtime/acceptances.ts';
import type { Inference, Session } from '../../../../models/core/runtime/inference.ts';
import { formatWarning } from '../../../../models/core/runtime/run-warnings.ts';
import { REMOVE_BG_WEIGHTS } from '../../../../models/matting/weights.ts';

type Availability = Awaited<ReturnType<Inference['availability']>>;

const [BEST, NEXT] = [REMOVE_BG_WEIGHTS.u2netp, REMOVE_BG_WEIGHTS.matte];
const { signal } = new AbortController();
const session: Session = {
  inputs: [],
  outputs: [],
  run: async () => ({ outputs: {}, provider: 'cpu', notices: [] }),
};

/** @param availability in the order of the models below */
function getInference(...availability: Availability[]): Inference {
  return {
    availability: async (card) => availability[[BEST, NEXT].indexOf(card as typeof BEST)] ?? 'unavailable',
    use: (_card, _options, work) => work(session),
    read: NO_MODELS.read,
  };
}

const OTHER_PROVIDER = formatWarning('other_provider', 'webgpu failed', 'cpu');
const best: ModelEngine<string> = {
  id: BEST.id,
  card: BEST,
  run: async () => ({ value: 'best', provider: 'cpu', notices: [OTHER_PROVIDER] }),
};
const next: ModelEngine<string> = {
  id: NEXT.id,
  card: NEXT,
  run: async () => ({ value: 'next', provider: 'wasm' }),
};
const classical: ClassicalEngine<string> = {
  id: 'classical',
  card: null,
  run: async () => ({ value: 'plain' }),
};
const failing = (thrown: Error): ModelEngine<string> => ({ ...best, run: () => Promise.reject(thrown) });
const LADDER = [best, next, classical];

const runLadder = (inference: Inference, engines = LADDER, engine = 'auto') =>
  runBestEngine(inference, engines, { engine, purpose: 'draws', signal });

describe('an engine ladder', () => {
  test('runs the best available engine, and returns its name, provider and warnings', async () => {
    expect(await runLadder(getInference('download', 'ready'))).toEqual({
      value: 'best',
      id: 'u2netp',
      engine: 'u2netp on cpu',
      warnings: [OTHER_PROVIDER],
    });
  });

  test('runs the next engine, or the one that is requested by name', async () => {
    expect(await runLadder(getInference('unavailable', 'ready'))).toMatchObject({
      engine: 'matte on wasm',
      warnings: [],
    });
    expect(await runLadder(getInference('ready', 'ready'), LADDER, 'matte')).toMatchObject({ warnings: [] });
  });

  test('runs a classical method without weights where no model can run', async () => {
    expect(await runLadder(getInference())).toEqual({
      value: 'plain',
      id: 'classical',
      engine: 'classical',
      warnings: [],
    });
  });

  test('downloads weights over the connection of the user only when requested by name', async () => {
    const inference = getInference('on-request');
    expect(await runLadder(inference)).toMatchObject({ id: 'classical' });
    expect(await runLadder(inference, LADDER, 'u2netp')).toMatchObject({ id: 'u2netp' });
    const named = { engine: 'auto', isNamed: true, purpose: 'draws', signal };
    expect(await runBestEngine(inference, LADDER, named)).toMatchObject({ id: 'u2netp' });
  });

  test('runs the next engine when one fails, and names both in a warning, without hosts or codes', async () => {
    const lost = new OperationError('unavailable', 'u2netp: hub.example cannot be reached (ENOTFOUND).');
    expect(await runLadder(getInference('ready'), [failing(lost), classical])).toMatchObject({
      engine: 'classical',
      warnings: [
        {
          kind: 'replaced',
          names: ['u2netp', 'classical'],
          message: 'u2netp could not be used; classical took its place.',
        },
      ],
    });
  });

  test('warns of a fallback where better engines fail, but not where there are none or one was chosen', async () => {
    const last: ClassicalEngine<string> = {
      ...classical,
      fallbackWarning: formatWarning('fallback', 'classical'),
    };
    const warnings = [last.fallbackWarning];
    const lost = new OperationError('unavailable', 'It is lost.');
    expect(await runLadder(getInference(), [best, last])).toMatchObject({ warnings: [] });
    expect(await runLadder(getInference('ready'), [failing(lost), last])).toMatchObject({ warnings });
    expect(await runLadder(getInference('on-request'), [best, last])).toMatchObject({ warnings: [] });
    expect(await runLadder(getInference(), [best, last], 'classical')).toMatchObject({ warnings: [] });
    expect(await runLadder(getInference(), [last])).toMatchObject({ warnings: [] });
  });

  describe('where the device keeps acceptance tests', () => {
    const passed = (quality: number, isSlow = false, seconds = 1): AcceptanceStatus => ({
      state: 'passed',
      quality,
      seconds,
      isSlow,
    });
    const withTests = (known: readonly AcceptanceStatus[], measured: AcceptanceStatus = passed(0)) => {
      const asked: string[] = [];
      const inference: Inference = {
        ...getInference('ready', 'ready'),
        acceptances: {
          find: async (_operation, engine) =>
            known[[BEST.id, NEXT.id].indexOf(engine as typeof BEST.id)] ?? { state: 'unknown' },
          async measure(operation, engine) {
            asked.push(`${operation}/${engine}`);
            return measured;
          },
        },
      };
      return { inference, asked };
    };
    const FAILED: AcceptanceStatus = { state: 'failed', reason: 'It failed its acceptance test: IoU 0.1.' };
    const UNKNOWN: AcceptanceStatus = { state: 'unknown' };

    test.each([
      ['the better figure', [passed(0.8), passed(0.9)], 'matte'],
      ['the order among equals', [passed(0.9), passed(0.9)], 'u2netp'],
      ['a fast engine before a better slow one', [passed(0.9, true), passed(0.8)], 'matte'],
      [
        'a method without weights before slow ones',
        [passed(0.9, true, 9), passed(0.8, true, 7)],
        'classical',
      ],
      ['one that passed before one that is not measured', [UNKNOWN, passed(0.1)], 'matte'],
      ['one without weights before one that is not measured', [UNKNOWN, FAILED], 'classical'],
      ['none that failed', [FAILED, FAILED], 'classical'],
    ])('takes %s', async (_what, known, id) => {
      const { inference, asked } = withTests(known);
      expect(await runLadder(inference)).toMatchObject({ id });
      expect(asked).toEqual([]);
    });

    test('keeps the order that the input decides, without those that failed', async () => {
      const options = { engine: 'auto', keepsOrder: true, purpose: 'draws', signal };
      const { inference } = withTests([passed(0.8), passed(0.9)]);
      expect(await runBestEngine(inference, LADDER, options)).toMatchObject({ id: 'u2netp' });
      const { inference: other } = withTests([FAILED, passed(0.9)]);
      expect(await runBestEngine(other, LADDER, options)).toMatchObject({ id: 'matte' });
    });

    test('measures an engine before its first use, and refuses it when it fails', async () => {
      const right = withTests([UNKNOWN]);
      expect(await runLadder(right.inference, LADDER, 'u2netp')).toMatchObject({ id: 'u2netp' });
      expect(right.asked).toEqual(['remove-bg/u2netp']);
      const wrong = withTests([UNKNOWN], FAILED);
      await expect(runLadder(wrong.inference, LADDER, 'u2netp')).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('u2netp is not used here. It failed its acceptance test: IoU 0.1.'),
      });
    });

    test('warns of no fallback where the engine was chosen among several', async () => {
      const fallbackWarning = formatWarning('fallback', 'matte');
      const engines = [best, { ...next, fallbackWarning }, classical];
      const chosen = withTests([passed(0.8), passed(0.9)]);
      expect(await runLadder(chosen.inference, engines)).toMatchObject({ id: 'matte', warnings: [] });
      const alone = withTests([UNKNOWN, passed(0.9)]);
      expect(await runLadder(alone.inference, engines)).toMatchObject({ warnings: [] });
    });
  });

  test('tries no other engine when the input is at fault', async () => {
    const corrupt = new OperationError('unprocessable', 'The image is corrupt.');
    await expect(runLadder(getInference('ready'), [failing(corrupt), classical])).rejects.toBe(corrupt);
  });

  test('is unavailable, with all the reasons, when every engine fails', async () => {
    const lost = new OperationError('unavailable', 'u2netp: the weights cannot be downloaded.');
    await expect(runLadder(getInference('ready'), [failing(lost)])).rejects.toMatchObject({
      code: 'unavailable',
      message: 'No model that draws is available. u2netp: the weights cannot be downloaded.',
    });
  });
});
