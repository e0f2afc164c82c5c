/** Colour of pixels where the matte is neither clear nor solid. */
const SOFT_COLOUR = '#ff5a3c';

/**
 * Draws the matte of a cutout: white is subject, black is background, soft edges are coloured.
 * @param cutout with transparency
 */
export function drawMatte(context: CanvasRenderingContext2D, cutout: CanvasImageSource): void {
  const { width, height } = context.canvas;
  const layer = (background: string, ink: string) => {
    const canvas = new OffscreenCanvas(width, height);
    const drawing = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
    drawing.drawImage(cutout, 0, 0, width, height);
    fill(drawing, 'source-in', ink);
    fill(drawing, 'destination-over', background);
    return canvas;
  };
  const soft = layer('#fff', '#000');
  const drawing = soft.getContext('2d') as OffscreenCanvasRenderingContext2D;
  // Alpha times its complement is at most a quarter; doubled twice, it is 1 where the matte is undecided.
  drawing.globalCompositeOperation = 'multiply';
  drawing.drawImage(layer('#000', '#fff'), 0, 0);
  drawing.globalCompositeOperation = 'lighter';
  drawing.drawImage(soft, 0, 0);
  drawing.drawImage(soft, 0, 0);
  fill(drawing, 'multiply', SOFT_COLOUR);
  context.drawImage(layer('#000', '#fff'), 0, 0);
  context.globalCompositeOperation = 'lighter';
  context.drawImage(soft, 0, 0);
  context.globalCompositeOperation = 'source-over';
}

function fill(
  drawing: OffscreenCanvasRenderingContext2D,
  operation: GlobalCompositeOperation,
  colour: string,
): void {
  drawing.globalCompositeOperation = operation;
  drawing.fillStyle = colour;
  drawing.fillRect(0, 0, drawing.canvas.width, drawing.canvas.height);
}
