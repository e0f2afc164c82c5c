import type { PixelRegion } from '../../../../models/core/runtime/raster.ts';

/** Passport photo in millimetres (ICAO Doc 9303): its size, and where crown and chin lie from above. */
export const PASSPORT_PHOTO = { width: 35, height: 45, crown: 4, chin: 38 } as const;

/** Paper of a print, in millimetres, and its resolution. */
export const PRINT_SHEET = { width: 150, height: 100, dpi: 300 } as const;

/** Gap between two photos, in millimetres: room for a knife. */
const GAP = 2;
/** Length of a mark, in millimetres. It begins at the corner of its photo. */
const MARK = 0.8;
const MILLIMETRES_PER_INCH = 25.4;

/** Sheet of photos, in pixels. */
export interface SheetPlan {
  readonly width: number;
  readonly height: number;
  readonly photos: readonly PixelRegion[];
  /** Lines at which to cut, outside of the photos: each a box one or two pixels thick. */
  readonly marks: readonly PixelRegion[];
}

/** Lays as many photos as fit in the middle of a sheet, with marks to cut at. */
export function planSheet(): SheetPlan {
  const [width, height] = [pixels(PRINT_SHEET.width), pixels(PRINT_SHEET.height)];
  const photo = { width: pixels(PASSPORT_PHOTO.width), height: pixels(PASSPORT_PHOTO.height) };
  const gap = pixels(GAP);
  const columns = Math.floor((width + gap) / (photo.width + gap));
  const rows = Math.floor((height + gap) / (photo.height + gap));
  const start = (whole: number, side: number, count: number) =>
    Math.round((whole - count * side - (count - 1) * gap) / 2);
  const [left, top] = [start(width, photo.width, columns), start(height, photo.height, rows)];
  const photos = Array.from({ length: columns * rows }, (_, at) => ({
    left: left + (at % columns) * (photo.width + gap),
    top: top + Math.floor(at / columns) * (photo.height + gap),
    ...photo,
  }));
  return { width, height, photos, marks: photos.flatMap(cornerMarks) };
}

function cornerMarks({ left, top, width, height }: PixelRegion): readonly PixelRegion[] {
  const length = pixels(MARK);
  const xs = [left - 1, left + width];
  const ys = [top - 1, top + height];
  return [
    ...xs.flatMap((x) => [
      { left: x, top: top - 1 - length, width: 1, height: length },
      { left: x, top: top + height + 1, width: 1, height: length },
    ]),
    ...ys.flatMap((y) => [
      { left: left - 1 - length, top: y, width: length, height: 1 },
      { left: left + width + 1, top: y, width: length, height: 1 },
    ]),
  ];
}

function pixels(millimetres: number): number {
  return Math.round((millimetres / MILLIMETRES_PER_INCH) * PRINT_SHEET.dpi);
}
