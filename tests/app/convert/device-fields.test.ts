import { describe, expect, test } from 'vitest';
import {
  deviceSettings,
  ENCODER_FIELDS,
  encoderHas,
  GEOMETRY_FIELDS,
} from '../../../app/studio/convert/device-fields.ts';
import { DEVICE_WORDING } from '../../../app/studio/convert/device-wording.ts';
import { initialValues } from '../../../app/studio/tools/fields.ts';

const FIELDS = [...GEOMETRY_FIELDS, ...ENCODER_FIELDS];
const initial = { to_format: 'jpg', ...initialValues(FIELDS) };

describe('settings that only this device has', () => {
  test('are none at first', () => {
    expect(deviceSettings(initial)).toBeUndefined();
  });

  test.each([
    [{ turn: 3 }, { adjustments: { orientation: { quarterTurns: 3, isMirrored: false } } }],
    [{ mirror: true }, { adjustments: { orientation: { quarterTurns: 0, isMirrored: true } } }],
    [
      { resize: 'percent' },
      {
        adjustments: {
          orientation: { quarterTurns: 0, isMirrored: false },
          resizing: { by: 'percent', percent: 50 },
        },
      },
    ],
    [
      { resize: 'pixels', width: 800, fit: 'cover' },
      {
        adjustments: {
          orientation: { quarterTurns: 0, isMirrored: false },
          resizing: { by: 'pixels', width: 800, fit: 'cover' },
        },
      },
    ],
    [{ chroma: '4:4:4', progressive: true }, { tuning: { chroma: '4:4:4', isProgressive: true } }],
    [{ lossless: true, effort: 'smallest' }, { tuning: { isLossless: true, effort: 1 } }],
    [{ colours: '16' }, { tuning: { colours: 16 } }],
  ])('%j', (changed, settings) => {
    expect(deviceSettings({ ...initial, ...changed })).toEqual(settings);
  });

  test.each([{ resize: 'pixels' }, { resize: 'percent', percent: 100 }, { percent: 30 }])(
    'stay none for %j, which changes nothing',
    (changed) => {
      expect(deviceSettings({ ...initial, ...changed })).toBeUndefined();
    },
  );

  test('have words, and show only for formats whose encoders have them', () => {
    expect(Object.keys(DEVICE_WORDING).sort()).toEqual(FIELDS.map(({ name }) => name).sort());
    const offered = (to_format: string) =>
      ENCODER_FIELDS.map(({ name }) => name).filter((name) => encoderHas(name, { to_format }));
    expect(offered('jpg')).toEqual(['chroma', 'progressive']);
    expect(offered('webp')).toEqual(['lossless', 'effort']);
    expect(offered('avif')).toEqual(['chroma', 'effort']);
    expect(offered('png')).toEqual(['colours']);
    expect(offered('bmp')).toEqual([]);
  });
});
