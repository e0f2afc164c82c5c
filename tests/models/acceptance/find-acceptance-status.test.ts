import { expect, test } from 'vitest';
import { findAcceptanceStatus, RECORDED } from '../../../models/acceptance/find-acceptance-status.ts';
import type { Acceptance } from '../../../models/acceptance/measure-engine.ts';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { findEngineLicence, listFiles, listOwnEngines } from '../../../models/core/runtime/fit.ts';
import { OPERATIONS } from '../../../models/registry.ts';

const operations: readonly Operation[] = Object.values(OPERATIONS);

function getEngine(operation: Operation, id: string) {
  const engine = listOwnEngines(operation).find((each) => each.id === id);
  if (!engine) throw new Error(`${operation.id} has no ${id}`);
  return engine;
}

const measured = (changes: Partial<Acceptance>): Acceptance => ({
  measure: 'IoU',
  figure: 0.95,
  floor: 0.9,
  passed: true,
  seconds: 2,
  per: 'megapixel',
  ...changes,
});

const { 'remove-bg': removeBg, 'audio-diarize': diarize, 'image-outpaint': outpaint } = OPERATIONS;

test('a bundled engine counts as recorded until it is measured', () => {
  const matte = getEngine(removeBg, 'matte');
  expect(findAcceptanceStatus(removeBg, matte, null)).toMatchObject({
    state: 'passed',
    quality: RECORDED.matte.figure,
  });
  expect(findAcceptanceStatus(removeBg, matte, measured({}))).toMatchObject({
    state: 'passed',
    quality: 0.95,
  });
  expect(findAcceptanceStatus(removeBg, getEngine(removeBg, 'u2netp'), null)).toEqual({ state: 'unknown' });
});

test('a figure of another file does not count', () => {
  const matte = getEngine(removeBg, 'matte');
  const card = matte.card && { ...matte.card, sha256: '0'.repeat(64) };
  expect(findAcceptanceStatus(removeBg, { ...matte, card }, null)).toEqual({ state: 'unknown' });
});

test('one that misses its floor has failed, with the reason', () => {
  const failed = measured({ passed: false, figure: 0.1 });
  expect(findAcceptanceStatus(removeBg, getEngine(removeBg, 'u2netp'), failed)).toEqual({
    state: 'failed',
    reason: 'It failed its acceptance test: IoU 0.1, and at least 0.9 is needed.',
  });
});

test('a low error is a high quality, and sound slower than real time is slow', () => {
  const engine = getEngine(diarize, 'silero-speakers');
  const heard = { measure: 'DER', figure: 0.05, lowerIsBetter: true, per: 'second' } as const;
  expect(findAcceptanceStatus(diarize, engine, measured({ ...heard, seconds: 0.2 }))).toEqual({
    state: 'passed',
    quality: -0.05,
    seconds: 0.2,
    isSlow: false,
  });
  expect(findAcceptanceStatus(diarize, engine, measured({ ...heard, seconds: 1.2 }))).toMatchObject({
    isSlow: true,
  });
});

test('what a prompt asks for has no right result, and is not measured', () => {
  const standing = findAcceptanceStatus(outpaint, getEngine(outpaint, 'sd15-inpaint-fp16'), null);
  expect(standing).toMatchObject({ state: 'passed' });
});

test('every bundled engine with weights has a recorded figure of its file, and every operation with models a test', () => {
  for (const operation of operations) {
    for (const engine of listOwnEngines(operation)) {
      if (engine.card === null) continue;
      expect(operation.acceptance, operation.id).toBeDefined();
      const isBundled = listFiles(engine).every(({ url }) => url === null);
      if (isBundled)
        expect(findAcceptanceStatus(operation, engine, null), engine.id).toMatchObject({ state: 'passed' });
    }
  }
});

test('results name the licences of their engines', () => {
  expect(findEngineLicence(removeBg, 'u2netp on cpu')).toBe('Apache-2.0');
  expect(findEngineLicence(OPERATIONS['audio-separate-stems'], 'htdemucs on webgpu')).toBe('Research only');
  expect(findEngineLicence(OPERATIONS['audio-separate-stems'], 'median-filter')).toBe('Our own');
  expect(findEngineLicence(diarize, 'silero-speakers on cpu')).toBe('MIT, CC-BY-SA-4.0');
  expect(
    findEngineLicence(
      OPERATIONS['image-moderation'],
      'clip-vit-b32-vision-uint8 on cpu, nsfw-mobilenet on cpu',
    ),
  ).toBe('MIT');
  expect(findEngineLicence(removeBg, null)).toBeNull();
  expect(findEngineLicence(OPERATIONS['media-convert-image'], 'sharp')).toBeNull();
});
