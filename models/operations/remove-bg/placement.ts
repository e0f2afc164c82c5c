import { z } from 'zod';
import {
  CANVAS_SIDE_MAX,
  type CanvasChoice,
  type LayoutOptions,
  MARGIN_MAX,
  NAMED_SIZES,
  SCALE_RANGE,
  SIDE_MIN,
  type SizeName,
} from './lay-out-subject.ts';
import type { Shadow } from './place-subject.ts';

/** Placement of the subject on a canvas: what a request or the page's controls ask for. */
export interface Placement {
  readonly layout: LayoutOptions;
  readonly shadow: Shadow | null;
}

/** Fields that place the subject on its own canvas. */
export const placementShape = {
  size: z
    .string()
    .max(20, { abort: true })
    .refine(
      (text) => parseSize(text) !== null,
      `must be square, 4:5, 9:16, marketplace, passport, or <width>x<height> of ${SIDE_MIN} to ${CANVAS_SIDE_MAX} pixels`,
    )
    .optional()
    .meta({
      description:
        'Canvas: <width>x<height> in pixels, a shape around the subject (square, 4:5, 9:16, or passport: 35 to 45), or marketplace (2000x2000, on white). The subject is fitted into it. Images only.',
      example: '1080x1350',
    }),
  margin: z.number().min(0).max(MARGIN_MAX).optional().meta({
    description:
      "Space around the subject, as a share of the canvas's shorter side. Without a size the result is the subject with this margin. Defaults to 0.075 where a size is given. Images only.",
  }),
  position: z
    .strictObject({
      x: z.number().min(0).max(1).default(0.5).meta({ description: 'Centre, from the left.' }),
      y: z.number().min(0).max(1).default(0.5).meta({ description: 'Centre, from the top.' }),
      scale: z
        .number()
        .min(SCALE_RANGE.min)
        .max(SCALE_RANGE.max)
        .default(1)
        .meta({ description: 'Size, relative to the fitted one.' }),
      angle: z.number().min(-180).max(180).default(0).meta({ description: 'Degrees, clockwise.' }),
    })
    .optional()
    .meta({
      description:
        'Place of the subject: its centre (x, y: 0 to 1), its scale (1 fits the canvas, or is its own size where neither size nor margin is given) and its angle in degrees, clockwise. Images only.',
    }),
  shadow: z.enum(['none', 'soft', 'contact']).default('none').meta({
    description: 'Shadow of the subject: soft, behind it, or contact, on the ground below it. Images only.',
  }),
  shadow_strength: z.number().min(0).max(1).default(0.5).meta({
    description: 'Opacity of the shadow.',
  }),
};

export type PlacementParams = z.output<z.ZodObject<typeof placementShape>>;

/**
 * Reads the placement that a request asks for; null where the result keeps the image's own canvas and has no shadow.
 */
export function readPlacement(params: PlacementParams): Placement | null {
  const { size, margin, position, shadow, shadow_strength: strength } = params;
  if (placementFields(params).length === 0) return null;
  const canvas = size === undefined ? undefined : (parseSize(size) ?? undefined);
  return {
    layout: { canvas, margin, position },
    shadow: shadow === 'none' ? null : { kind: shadow, strength },
  };
}

/** Returns the most pixels that the canvas of a result may have; 0 where it has no separate one. */
export function canvasPixelsMax(image: { width: number; height: number }, params: PlacementParams): number {
  const placement = readPlacement(params);
  if (!placement) return 0;
  const { canvas, margin } = placement.layout;
  if (canvas?.kind === 'exact') return canvas.width * canvas.height;
  if (!canvas && margin === undefined) return image.width * image.height;
  return CANVAS_SIDE_MAX * CANVAS_SIDE_MAX;
}

/** Returns the fields that a request gives of those that place the subject. */
export function placementFields(params: PlacementParams): readonly string[] {
  const { size, margin, position, shadow } = params;
  const given = { size, margin, position, shadow: shadow === 'none' ? undefined : shadow };
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : name));
}

/** Returns the background of a request: marketplaces ask for white. */
export function backgroundFor({
  size,
  background,
}: {
  readonly size?: string | undefined;
  readonly background: string;
}): string {
  return size === 'marketplace' && background.trim().toLowerCase() === 'transparent' ? 'white' : background;
}

/** Parses the `size` of a request; null for anything else. */
function parseSize(text: string): CanvasChoice | null {
  if (isSizeName(text)) return NAMED_SIZES[text];
  const [, width = '', height = ''] = /^(\d{1,5})x(\d{1,5})$/.exec(text) ?? [];
  const sides = [Number(width), Number(height)];
  if (sides.some((side) => side < SIDE_MIN || side > CANVAS_SIDE_MAX)) return null;
  return { kind: 'exact', width: Number(width), height: Number(height) };
}

function isSizeName(text: string): text is SizeName {
  return Object.hasOwn(NAMED_SIZES, text);
}
