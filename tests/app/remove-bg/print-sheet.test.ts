import { expect, test } from 'vitest';
import { planSheet } from '../../../app/studio/remove-bg/stage/print-sheet.ts';

test('a sheet of 10 x 15 cm at 300 dpi has eight passport photos, of 35 x 45 mm', () => {
  const { width, height, photos } = planSheet();
  expect([width, height]).toEqual([1772, 1181]);
  expect(photos).toHaveLength(8);
  for (const photo of photos) expect(photo).toMatchObject({ width: 413, height: 531 });
});

test('photos and marks lie within the sheet, and no mark is on a photo', () => {
  const { width, height, photos, marks } = planSheet();
  expect(marks).toHaveLength(8 * photos.length);
  for (const box of [...photos, ...marks]) {
    expect(Math.min(box.left, box.top)).toBeGreaterThanOrEqual(0);
    expect(box.left + box.width).toBeLessThanOrEqual(width);
    expect(box.top + box.height).toBeLessThanOrEqual(height);
  }
  const overlap = marks.filter((mark) =>
    photos.some(
      (photo) =>
        mark.left < photo.left + photo.width &&
        photo.left < mark.left + mark.width &&
        mark.top < photo.top + photo.height &&
        photo.top < mark.top + mark.height,
    ),
  );
  expect(overlap).toEqual([]);
});
