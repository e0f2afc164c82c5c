import { describe, expect, test } from 'vitest';
import {
  ENCODER_FIELDS,
  ENCODER_WORDING,
  encoderHas,
  getEncoderSettings,
} from '../../../app/studio/convert/encoder-options.ts';
import { initialValues } from '../../../app/studio/tools/fields.ts';

const initial = { to_format: 'jpg', ...initialValues(ENCODER_FIELDS) };

describe('settings that only encoders on this device have', () => {
  test('are none at first', () => {
    expect(getEncoderSettings(initial)).toBeUndefined();
  });

  test.each([
    [{ chroma: '4:4:4', progressive: true }, { tuning: { chroma: '4:4:4', isProgressive: true } }],
    [{ lossless: true, effort: 'smallest' }, { tuning: { isLossless: true, effort: 1 } }],
    [{ colours: '16' }, { tuning: { colours: 16 } }],
  ])('%j', (changed, settings) => {
    expect(getEncoderSettings({ ...initial, ...changed })).toEqual(settings);
  });

  test('have words, and show only for formats whose encoders have them', () => {
    expect(Object.keys(ENCODER_WORDING).sort()).toEqual(ENCODER_FIELDS.map(({ name }) => name).sort());
    const offered = (to_format: string) =>
      ENCODER_FIELDS.map(({ name }) => name).filter((name) => encoderHas(name, { to_format }));
    expect(offered('jpg')).toEqual(['chroma', 'progressive']);
    expect(offered('webp')).toEqual(['lossless', 'effort']);
    expect(offered('avif')).toEqual(['chroma', 'effort']);
    expect(offered('png')).toEqual(['colours']);
    expect(offered('bmp')).toEqual([]);
  });
});
