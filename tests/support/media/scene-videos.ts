import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AV_OPT_SEARCH_CHILDREN, AV_OPT_TYPE_STRING } from 'node-av/constants';
import { type VideoRecipe, writeVideoFile } from '../../../lab/fixtures/write-video-file.ts';
import type { Raster8 } from '../../../models/core/runtime/raster.ts';
import { frameOfPlanes } from '../../../server/runtime/media/pixels.ts';
import { withBox } from './remux.ts';

/** A scene of four quadrants, and how it has to be shown. */
export interface SceneVideo {
  readonly file: () => Promise<Blob>;
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
}

const [WIDTH, HEIGHT] = [96, 64];
/** Colours of the quadrants, in rows. */
export const QUADRANTS = [
  [254, 0, 0],
  [0, 192, 0],
  [0, 0, 254],
  [255, 255, 255],
] as const;
/** The same in Y, U and V of BT.601, limited range. */
const PLANES = [
  [81, 90, 240],
  [113, 72, 57],
  [41, 240, 110],
  [235, 128, 128],
] as const;
/** Margins around the scene: top, bottom, left, right. */
const MARGINS = [8, 0, 16, 0] as const;

/** Draws the quadrants within margins, which are magenta. */
function getPlanes([top, bottom, left, right]: readonly number[]): Uint8Array<ArrayBuffer> {
  const planes = new Uint8Array((WIDTH * HEIGHT * 3) / 2);
  let at = 0;
  for (const [plane, step] of [1, 2, 2].entries()) {
    for (let y = 0; y < HEIGHT; y += step) {
      for (let x = 0; x < WIDTH; x += step) {
        const [across, down] = [x - left, y - top];
        const [width, height] = [WIDTH - left - right, HEIGHT - top - bottom];
        const isMargin = across < 0 || down < 0 || across >= width || down >= height;
        const quadrant = (down >= height / 2 ? 2 : 0) + (across >= width / 2 ? 1 : 0);
        planes[at++] = isMargin ? ([107, 202, 222][plane] as number) : (PLANES[quadrant]?.[plane] as number);
      }
    }
  }
  return planes;
}

function scene(
  recipe: Pick<VideoRecipe, 'encoder' | 'muxer'> & Partial<VideoRecipe>,
  margins = [0, 0, 0, 0],
) {
  return async (): Promise<Blob> => {
    const folder = mkdtempSync(join(tmpdir(), 'darkroom-scene-'));
    try {
      const path = join(folder, 'scene');
      writeVideoFile(path, {
        width: WIDTH,
        height: HEIGHT,
        times: Array.from({ length: 11 }, (_, index) => index),
        ticksPerSecond: 10,
        isTagged: false,
        getFrame: () => frameOfPlanes(getPlanes(margins), WIDTH, HEIGHT),
        ...recipe,
      });
      return new Blob([readFileSync(path)]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
}

const whole = { width: WIDTH, height: HEIGHT, seconds: 1 };
const wide = { ...whole, width: 2 * WIDTH };
const inner = { width: 80, height: 56, seconds: 1 };
const slides = { times: [0, 50, 100, 200], encoder: 'mpeg4', ticksPerSecond: 25 } as const;

/** Videos that say more of how they are shown than the size of their pictures. */
export const SCENES: Readonly<Record<string, SceneVideo>> = {
  'without colour tags, H.264': { ...whole, file: scene({ encoder: 'libx264', muxer: 'mp4' }) },
  'without colour tags, VP9': { ...whole, file: scene({ encoder: 'libvpx-vp9', muxer: 'webm' }) },
  'of wide pixels by its H.264 alone': {
    ...wide,
    file: scene({ encoder: 'libx264', muxer: 'mp4', pixelAspect: 2 }),
  },
  'of wide pixels by its MPEG-4 alone': {
    ...wide,
    file: scene({ encoder: 'mpeg4', muxer: 'mp4', pixelAspect: 2 }),
  },
  'with PixelCrop': {
    ...inner,
    file: scene({ encoder: 'libx264', muxer: 'matroska', crop: MARGINS }, [...MARGINS]),
  },
  'with clap': {
    ...inner,
    file: async () => {
      const mp4 = await scene({ encoder: 'libx264', muxer: 'mp4' }, [...MARGINS])();
      return await withBox(mp4, 'avc1', 'clap', [80, 1, 56, 1, 8, 1, 4, 1]);
    },
  },
  'whose last picture lasts for 4 s, Matroska': {
    ...whole,
    seconds: 8,
    file: scene({ ...slides, muxer: 'matroska' }),
  },
  'whose last picture lasts for 4 s, MP4': { ...whole, seconds: 8, file: scene({ ...slides, muxer: 'mp4' }) },
};

/** A video of wide pixels in HEVC, which few browsers decode. */
export const WIDE_HEVC: SceneVideo = {
  ...wide,
  file: scene({
    encoder: 'libx265',
    muxer: 'mp4',
    pixelAspect: 2,
    setUp: (context) => {
      context.setOption('x265-params', 'log-level=0', AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN);
    },
  }),
};

/** Returns the largest difference between the middles of a frame's quadrants and their colours, in levels. */
export function worstColour({ width, height, data }: Raster8): number {
  let worst = 0;
  for (const [at, colour] of QUADRANTS.entries()) {
    const x = Math.round(width * (at % 2 ? 0.75 : 0.25));
    const y = Math.round(height * (at > 1 ? 0.75 : 0.25));
    const pixel = data.subarray((y * width + x) * 4);
    for (const [channel, level] of colour.entries())
      worst = Math.max(worst, Math.abs(level - pixel[channel]));
  }
  return worst;
}
