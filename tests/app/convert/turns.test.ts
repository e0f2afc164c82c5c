import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addTurn, type Turn } from '../../../app/studio/convert/turns.ts';
import type { ParamValues } from '../../../app/studio/tools/fields.ts';
import { orientRaster } from '../../../models/kernels/raster/orient-raster.ts';
import { planGeometry } from '../../../models/operations/convert/geometry.ts';
import { paramsSchema } from '../../../models/operations/convert/schema.ts';

const NUMBERED = {
  width: 3,
  height: 2,
  data: Uint8Array.from({ length: 24 }, (_, at) => (at % 4 === 3 ? 255 : at >> 2)),
};

function orient(values: ParamValues, raster: Parameters<typeof orientRaster>[0] = NUMBERED) {
  const params = paramsSchema.parse({ to_format: 'png', ...values });
  const { geometry } = planGeometry({ ...raster, frameCount: 1 }, params);
  return geometry ? orientRaster(raster, geometry.orientation) : raster;
}

const BY_HAND: Readonly<Record<Turn, ParamValues>> = {
  left: { rotate: 270 },
  right: { rotate: 90 },
  horizontal: { flip: 'horizontal' },
  vertical: { flip: 'vertical' },
};

test('turns and flips one after the other show what their sum shows', () => {
  const turns = fc.array(fc.constantFrom(...(Object.keys(BY_HAND) as Turn[])), { maxLength: 6 });
  fc.assert(
    fc.property(turns, (presses) => {
      const sum = presses.reduce<ParamValues>(addTurn, {});
      const stepwise = presses.reduce((raster, turn) => orient(BY_HAND[turn], raster), orient({}));
      expect(orient(sum)).toEqual(stepwise);
    }),
  );
});

test('four turns to the right leave nothing to do', () => {
  const presses: readonly Turn[] = ['right', 'right', 'right', 'right'];
  expect(presses.reduce<ParamValues>(addTurn, {})).toEqual({ rotate: undefined, flip: undefined });
});
