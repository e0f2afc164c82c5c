/** Side in pixels at which transparency is looked for: more would not be visible either. */
const SIDE = 64;
const OPAQUE = 250;

/** Reports whether some part of an image can be seen through. */
export function hasTransparency(image: CanvasImageSource): boolean {
  const canvas = document.createElement('canvas');
  canvas.width = SIDE;
  canvas.height = SIDE;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return false;
  context.drawImage(image, 0, 0, SIDE, SIDE);
  const { data } = context.getImageData(0, 0, SIDE, SIDE);
  return data.some((value, at) => at % 4 === 3 && value < OPAQUE);
}
