import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { initialValues, readNumber, toggleValue } from '../../../app/studio/tools/fields.ts';
import { readFields } from '../../../app/studio/tools/read-fields.ts';
import { summarise, type Wording } from '../../../app/studio/tools/wording.ts';
import { parseParams } from '../../../models/core/operation/params.ts';
import { SINGLE_OPERATIONS } from '../../../models/registry.ts';
import { OPERATIONS as SHAPES } from '../../support/operations/shaped-operations.ts';

const getField = (shape: keyof typeof SHAPES, name: string) =>
  readFields(SHAPES[shape]).find((field) => field.name === name);

describe('the form of an operation', () => {
  it.each([
    ['shape-upscale', 'scale', { kind: 'choice', values: [2, 4, 8], initial: 2 }],
    ['shape-moderation', 'severity_threshold', { kind: 'choice', values: [0, 2, 4, 6], initial: 2 }],
    [
      'shape-moderation',
      'categories',
      {
        kind: 'list',
        values: ['Hate', 'SelfHarm', 'Sexual', 'Violence'],
        initial: ['Hate', 'SelfHarm', 'Sexual', 'Violence'],
      },
    ],
    [
      'shape-diarize',
      'speaker_count',
      { kind: 'number', min: 1, max: 20, isInteger: true, isOptional: true, initial: undefined },
    ],
    [
      'shape-outpaint',
      'zoom_out_percentage',
      { kind: 'number', min: 0, max: undefined, isInteger: false, isOptional: true, initial: undefined },
    ],
    ['shape-outpaint', 'num_images', { kind: 'range', min: 1, max: 8, step: 1, initial: 1 }],
    ['shape-outpaint', 'sync_mode', { kind: 'switch', initial: false }],
    ['shape-stems', 'stems', { kind: 'choice', values: ['two', 'four'], initial: 'two' }],
  ] as const)('for %s has the field %s', (shape, name, field) => {
    expect(getField(shape, name)).toEqual({ name, ...field });
  });

  it.each(
    Object.values({ ...SHAPES, ...SINGLE_OPERATIONS }).map((operation) => [operation.id, operation] as const),
  )('for %s starts with values that its schema accepts', (_id, operation) => {
    const values = initialValues(readFields(operation));
    expect(parseParams(operation.params, values)).toMatchObject(JSON.parse(JSON.stringify(values)));
  });

  it('shows a list of numbers whose values the operation accepts', () => {
    const params = z.strictObject({ sizes: z.array(z.literal([16, 32])).prefault([32]) });
    const fields = readFields({ params });
    expect(fields).toEqual([{ kind: 'list', name: 'sizes', values: [16, 32], initial: [32] }]);
    expect(parseParams(params, initialValues(fields))).toEqual({ sizes: [32] });
  });

  it('never empties a list', () => {
    expect(toggleValue(['a', 'b', 'c'], ['c'], 'a')).toEqual(['a', 'c']);
    expect(toggleValue(['a', 'b', 'c'], ['a', 'c'], 'a')).toEqual(['c']);
    expect(toggleValue(['a', 'b', 'c'], ['c'], 'c')).toEqual(['c']);
  });

  it('clamps a typed number, and reads an empty field as automatic', () => {
    const count = getField('shape-diarize', 'speaker_count');
    if (count?.kind !== 'number') throw new TypeError('not a number');
    expect([0, 3.4, 99, Number.NaN].map((typed) => readNumber(count, typed, 5))).toEqual([
      1,
      3,
      20,
      undefined,
    ]);
    expect(readNumber({ ...count, isOptional: false }, Number.NaN, 5)).toBe(5);
    const percent = { ...count, isInteger: false, min: 0, max: undefined };
    expect(readNumber(percent, 250.5, undefined)).toBe(250.5);
  });

  it('summarises lists and numbers, and omits automatic values', () => {
    const words = (label: string) => ({ label, explain: () => '' });
    const fields = [...readFields(SHAPES['shape-moderation']), ...readFields(SHAPES['shape-diarize'])];
    const wording: Wording = {
      lead: '',
      verb: '',
      fields: {
        categories: { ...words('Categories'), choices: { SelfHarm: 'Self-harm' } },
        severity_threshold: words('From severity'),
        speaker_count: words('Speakers'),
      },
    };
    const values = { ...initialValues(fields), categories: ['SelfHarm', 'Sexual'] };
    expect(summarise(fields, wording, values)).toBe('Self-harm, Sexual · 2');
    expect(summarise(fields, wording, { ...values, speaker_count: 3 })).toBe(
      'Self-harm, Sexual · 2 · Speakers 3',
    );
  });
});
