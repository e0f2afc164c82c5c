import { describe, expect, it } from 'vitest';
import { hasVariants, paramsFor } from '../../../app/studio/extend/settings.ts';
import {
  betterModel,
  describeCut,
  describeEstimate,
  usesSimpleFill,
} from '../../../app/studio/extend/simple-fill.ts';
import { extendTool } from '../../../app/studio/extend/tool.ts';
import { nameResults } from '../../../app/studio/runs/result-names.ts';
import type { Fit, RunFit } from '../../../models/core/runtime/fit.ts';

const getFit = (engines: Readonly<Record<string, Fit['verdict']>>): RunFit => ({
  run: { verdict: 'here' },
  engines: new Map(Object.entries(engines).map(([id, verdict]) => [id, { verdict } as Fit])),
});

describe('the simple fill', () => {
  it.each([
    [{ quality: 0.82, weakness: null }, 'Simple fill, expected quality 82 %: this should look right.'],
    [
      { quality: 0.6, weakness: 'structure' },
      'Simple fill, expected quality 60 %: look closely. The edge cuts lines and shapes, which it can’t continue.',
    ],
    [
      { quality: 0.2, weakness: 'subject' },
      'Simple fill, expected quality 20 %: this will likely disappoint. The edge cuts the subject, which it can’t continue.',
    ],
  ] as const)('with %o is described as expected', (estimate, words) => {
    expect(describeEstimate(estimate)).toBe(words);
  });

  it('runs where no model is stored, or by its name', () => {
    expect(usesSimpleFill('auto', undefined)).toBe(false);
    expect(usesSimpleFill('auto', getFit({ 'lama-fp32': 'download' }))).toBe(true);
    expect(usesSimpleFill('auto', getFit({ 'lama-opencv': 'here' }))).toBe(false);
    expect(usesSimpleFill('darkroom-patches', getFit({ 'lama-opencv': 'here' }))).toBe(true);
    expect(usesSimpleFill('lama-fp32', getFit({ 'lama-fp32': 'download' }))).toBe(false);
  });

  it('says which edges cut the subject, and nothing where none does', () => {
    expect(describeCut([])).toBeUndefined();
    expect(describeCut(['top'])).toMatch(
      /^The top edge cuts the subject\. The simple fill can’t continue it/,
    );
    expect(describeCut(['left', 'bottom'])).toMatch(/^The left and bottom edges cut the subject\./);
  });

  it('has no seed and no variants to choose, and sends none', () => {
    const values = { expand_left: 10, shape: 'Free', seed: 7, num_images: 3, output_format: 'png' };
    for (const engine of ['auto', 'darkroom-patches']) {
      expect(hasVariants({ engine })).toBe(false);
      expect(paramsFor(new File([], 'a.png'), { ...values, engine })).toMatchObject({ num_images: 1 });
      expect(paramsFor(new File([], 'a.png'), { ...values, engine })).not.toHaveProperty('seed');
    }
    expect(paramsFor(new File([], 'a.png'), { ...values, engine: 'lama-fp32' })).toMatchObject({
      num_images: 3,
      seed: 7,
    });
  });

  it('names its result without a seed, and a model with it', () => {
    const name = (seed: number, details: object) => {
      const files = [{ name: `extended-${seed}.png`, mediaType: 'image/png', blob: new Blob([]) }];
      const suffix = extendTool.getSuffix?.({ ...details });
      return nameResults({ name: 'holiday.jpg' }, { files, suffix })[0]?.name;
    };
    expect(name(7, { fill_quality: 0.4 })).toBe('holiday-extended.png');
    expect(name(7, { fill_quality: null })).toBe('holiday-extended-7.png');
    expect(name(7, {})).toBe('holiday-extended-7.png');
  });

  it('yields to the best model that fits here', () => {
    const fit = getFit({ 'lama-fp32': 'server', 'lama-opencv': 'download', 'migan-pipeline-v2': 'here' });
    expect(betterModel(fit)?.id).toBe('lama-opencv');
    expect(betterModel(undefined)).toBeUndefined();
  });
});
