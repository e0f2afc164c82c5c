import { expect, expectTypeOf, it, vi } from 'vitest';
import { z } from 'zod';
import { defineOperation, type Operation } from '../../../../models/core/operation/define-operation.ts';
import { responseBody } from '../../../../models/core/operation/direct-response.ts';
import { OperationError } from '../../../../models/core/operation/errors.ts';
import type { InputFacts } from '../../../../models/core/operation/inputs.ts';
import { billableSeconds } from '../../../../models/core/operation/money.ts';
import { pickKnownParams } from '../../../../models/core/operation/params.ts';
import { OPERATIONS as REGISTRY } from '../../../../models/registry.ts';
import { OPERATIONS } from '../../../support/operations/shaped-operations.ts';

type Params<Of extends Operation> = z.output<Of['params']>;
type Body<Of extends Operation> = z.output<NonNullable<Of['response']>['schema']>;

it('an operation has the types of its params and of its response', () => {
  expectTypeOf<Params<(typeof OPERATIONS)['shape-upscale']>>().toEqualTypeOf<{ scale: 2 | 4 | 8 }>();
  expectTypeOf<Params<(typeof OPERATIONS)['shape-diarize']>>().toEqualTypeOf<{
    speaker_count?: number | undefined;
  }>();
  expectTypeOf<Params<(typeof OPERATIONS)['shape-moderation']>['categories']>().toEqualTypeOf<
    ('Hate' | 'SelfHarm' | 'Sexual' | 'Violence')[]
  >();
  expectTypeOf<Params<(typeof OPERATIONS)['shape-moderation']>['severity_threshold']>().toEqualTypeOf<
    0 | 2 | 4 | 6
  >();
  expectTypeOf<Params<(typeof REGISTRY)['media-convert-image']>['quality']>().toEqualTypeOf<number>();
  expectTypeOf<Body<(typeof OPERATIONS)['shape-moderation']>['flagged']>().toEqualTypeOf<boolean>();
  expectTypeOf<Body<(typeof REGISTRY)['remove-bg']>['matte_quality']>().toEqualTypeOf<
    'high' | 'medium' | 'low'
  >();
});

it.each([
  [0, 1],
  [0.3, 1],
  [1, 1],
  [5, 5],
  [5.000_000_000_1, 5],
  [5.06, 6],
  [14_400, 14_400],
])('%d seconds are charged as %d', (durationSeconds, seconds) => {
  expect(billableSeconds(durationSeconds)).toBe(seconds);
});

it('a remainder within the tolerance is free', () => {
  expect(billableSeconds(5.06, 0.1)).toBe(5);
  expect(billableSeconds(5.11, 0.1)).toBe(6);
});

it('a response has the known members of its schema, in order', () => {
  const { response } = REGISTRY['remove-bg'];
  if (!response) throw new TypeError('no response');
  const run = { urls: ['https://a/b.png'], processingMs: 5, charged: 10_000n };
  const details = { subjects_detected: 2, certainty: 0.4, original_size: '8x6' };
  expect(Object.entries(responseBody(response, { ...run, details }))).toEqual([
    ['status', 'success'],
    ['output_url', 'https://a/b.png'],
    ['original_size', '8x6'],
    ['subjects_detected', 2],
  ]);
});

it.each([[null], [undefined], [{}], [{ shifts: 3 }]])('%j has no readable params', (stored) => {
  expect(pickKnownParams(OPERATIONS['shape-upscale'], stored)).toEqual({});
});

const timed = defineOperation({
  id: 'timed',
  title: 'Timed',
  summary: 'Depends on nested facts.',
  path: '/timed',
  authentication: 'bearer',
  inputs: { file_url: { media: ['audio'], encoding: 'url', description: 'Any file.' } },
  params: z.strictObject({ factor: z.int().default(1) }),
  limits: { inputBytesMax: 1, runSecondsMax: 100, memoryBytesMax: 1_000 },
  probe: async (): Promise<InputFacts & { time: { seconds: number } }> => ({
    mediaType: 'audio/wav',
    time: { seconds: 3 },
  }),
  lane: ({ time }, { factor }) => (time.seconds * factor > 2 ? 'long' : 'interactive'),
  limitsFor: ({ time }, { factor }) => ({
    runSecondsMax: 10 + time.seconds * factor,
    memoryBytesMax: time.seconds * 100,
  }),
  rates: {},
  price: () => 0n,
  testResult: () => ({ files: [] }),
  load: async () => ({ run: async () => ({ files: [], engine: 'none', warnings: [] }) }),
});

it('lane and limits of a run follow from its facts and params', () => {
  expect(timed.limitsFor({ time: { seconds: 2 } }, {})).toEqual({
    inputBytesMax: 1,
    runSecondsMax: 12,
    memoryBytesMax: 200,
  });
  expect(timed.laneFor({ time: { seconds: 2 } }, {})).toBe('interactive');
  expect(timed.laneFor({ time: { seconds: 2 } }, { factor: 2 })).toBe('long');
});

it.each([
  [{}],
  [{ time: null }],
  [{ time: {} }],
  [{ time: { seconds: 'many' } }],
  [{ time: { seconds: -20 } }],
])('facts %j of an older version have the limits of the card', (facts) => {
  expect(timed.limitsFor(facts, {})).toEqual(timed.limits);
});

it('facts and params of an older version use the lane for long runs', () => {
  expect([timed.laneFor({}, {}), timed.laneFor({ time: null }, {})]).toEqual(['long', 'long']);
  expect(timed.laneFor({ time: { seconds: 2 } }, { factor: 'few' })).toBe('long');
  expect(timed.laneFor({ time: { seconds: 2 } }, { gone: 1 })).toBe('interactive');
});

it('an error of another copy of its module is recognised, and no other error is', async () => {
  vi.resetModules();
  const copy = await import('../../../../models/core/operation/errors.ts');
  expect(copy.OperationError).not.toBe(OperationError);
  expect(new copy.OperationError('bad_request', 'no')).toBeInstanceOf(OperationError);
  expect(new Error('no')).not.toBeInstanceOf(OperationError);
  expect(new OperationError('bad_request', 'no')).not.toBeInstanceOf(class extends OperationError {});
});
