import { expect, test } from 'vitest';
import { planDrawing } from '../../../app/studio/convert/plan-drawing.ts';
import { parseParams } from '../../../models/core/operation/params.ts';
import { paramsSchema } from '../../../models/operations/convert/schema.ts';

const PHOTO = { width: 300, height: 200 };

/** Size of the drawing of a photo next to its result; null where the photo itself is shown. */
function drawn(params: object) {
  const plan = planDrawing(PHOTO, parseParams(paramsSchema, { to_format: 'jpg', ...params }));
  if (!plan) return null;
  const { width, height } = plan.geometry.canvas;
  return [Math.round(width * plan.scale), Math.round(height * plan.scale)];
}

test('an original is compared as it is with a result in another size alone', () => {
  expect(drawn({})).toBeNull();
  expect(drawn({ width: 150 })).toBeNull();
  expect(drawn({ width: 90, height: 90 })).toBeNull();
});

test.each([
  ['turned', { rotate: 90, width: 100 }, [200, 300]],
  ['mirrored', { flip: 'horizontal' }, [300, 200]],
  ['cropped', { crop: { x: 10, y: 0, width: 100, height: 50 } }, [100, 50]],
  ['cut', { width: 50, height: 50, fit: 'cover' }, [200, 200]],
  ['padded', { width: 150, height: 150, fit: 'contain' }, [300, 300]],
  ['stretched', { width: 50, height: 50, fit: 'fill' }, [300, 300]],
  ['painted under', { background: '#fff' }, [300, 200]],
] as const)(
  'next to a result that is %s, an original is drawn like it in its own resolution',
  (_, params, size) => {
    expect(drawn(params)).toEqual(size);
  },
);

test('an original stretched into a long shape is no longer than its result needs', () => {
  expect(drawn({ width: 50, height: 500, fit: 'fill', enlarge: true })).toEqual([50, 500]);
});
