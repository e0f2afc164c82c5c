import { type Draft, steps } from '../../core/runtime/progress.ts';
import type { FloatImage, Raster8 } from '../../core/runtime/raster.ts';
import type { RunWarning } from '../../core/runtime/run-warnings.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { fitWithin, resizeAlpha, resizeColours, resizeImage } from '../../kernels/raster/resize.ts';
import { findSubjects } from '../../kernels/raster/subjects.ts';
import { findSubject } from '../../matting/find-subject.ts';
import { judgeMatte, type MatteJudgement } from '../../matting/matte-quality.ts';
import type { Backdrop } from './backdrop.ts';
import { CUT_SIDE, completeMatte } from './matte/complete-matte.ts';
import { compositeOver } from './matte/cut-out.ts';
import {
  agreesWithGround,
  cutFromGround,
  type FlatGround,
  findFlatGround,
  type GroundMap,
  isCutOut,
  isDrawing,
  mapGround,
} from './matte/flat-ground.ts';
import { cutOutWithMatte, WORKING_SIDE } from './matte-edges.ts';

export interface RemoveOptions {
  /** Id of a model's weights, or `auto`. */
  readonly engine: string;
  readonly subject: 'all' | 'primary';
  /** Null leaves the background transparent. */
  readonly backdrop: Backdrop | null;
}

export interface Removal extends MatteJudgement {
  readonly subjectCount: number;
  readonly engine: string;
  readonly warnings: readonly RunWarning[];
}

const STEPS = steps({ 'loading the model': 0.1, 'finding the subject': 0.5, 'cutting it out': 0.4 });

/**
 * Removes the background of a raster, in place. A model sees the image small; its matte is refined to full resolution
 * along the image's own edges, and edges get the subject's own colours. What is transparent around its subject already
 * keeps its alpha, and drawings before a ground of one colour are cut by colour and geometry.
 * @throws OperationError `unavailable` when no model is available
 */
export async function removeBackground(
  raster: Raster8,
  options: RemoveOptions,
  runtime: Pick<Runtime, 'inference' | 'signal' | 'progress' | 'draft'>,
): Promise<Removal> {
  const { inference, signal, draft } = runtime;
  const { step, span } = STEPS.of(runtime.progress);
  const working = fitWithin(raster, WORKING_SIDE);
  const colours = resizeColours(raster, working.width, working.height);
  const found = await findSubject(inference, colours, {
    engine: options.engine,
    isStill: true,
    signal,
    onProgress: span('loading the model'),
    onOpen: () => span('finding the subject')({ fraction: 0 }),
    onFirst: draft && ((matte) => draft(getDraft(matte))),
  });
  const result = { engine: found.engine, warnings: found.warnings };
  return await step('cutting it out', async (progress): Promise<Removal> => {
    const onRow = (y: number) => {
      if (y % 64 !== 0) return;
      signal.throwIfAborted();
      progress({ fraction: y / raster.height });
    };
    const isCut = isCutOut(raster);
    const ground = isCut ? null : findGround(raster, colours, () => onRow(0));
    const isDrawn = ground !== null && isDrawing(raster, ground);
    // What is exact without a model needs no completed matte, whose cut takes the longest.
    const completed = isCut || isDrawn ? null : completeMatte(found.matte, colours, CUT_SIDE.still);
    if (!completed || (ground && agreesWithGround(ground.map, completed))) {
      if (ground) cutFromGround(raster, ground, ground.map, onRow);
      const matte = resizeAlpha(raster, working.width, working.height);
      const subjects = findSubjects(matte);
      draft?.(getDraft(matte));
      if (options.subject === 'primary') clearOthers(raster, matte, subjects.primary());
      if (options.backdrop) compositeOver(raster, options.backdrop, onRow);
      const isFound = subjects.count > 0;
      return {
        ...result,
        subjectCount: subjects.count,
        quality: isFound ? 'high' : 'low',
        doubt: isFound ? null : 'subject',
      };
    }
    const holed = ground ? clearHoles(completed, ground.map) : completed;
    const subjects = findSubjects(holed);
    const matte = options.subject === 'primary' ? subjects.primary() : holed;
    draft?.(getDraft(matte));
    cutOutWithMatte(raster, colours, matte, { backdrop: options.backdrop, onRow });
    return { ...result, subjectCount: subjects.count, ...judgeMatte(found.matte, holed) };
  });
}

/** Share of a picture that its ground has at least: less is a frame around it. */
const GROUND_SHARE = 0.05;

interface Ground extends FlatGround {
  readonly map: GroundMap;
}

/** Finds a ground of one colour, and where it shows; null for a ground of many colours, and for a mere frame. */
function findGround(raster: Raster8, colours: FloatImage, onRound: () => void): Ground | null {
  const ground = findFlatGround(raster);
  if (!ground) return null;
  const map = mapGround(colours, ground, onRound);
  return map.share < GROUND_SHARE ? null : { ...ground, map };
}

/** Clears a matte where a flat ground shows through the subject. */
function clearHoles(matte: FloatImage, { width, height, holes }: GroundMap): FloatImage {
  const { data } = resizeImage(
    { width, height, channels: 1, data: Float32Array.from(holes) },
    matte.width,
    matte.height,
  );
  return { ...matte, data: matte.data.map((value, pixel) => value * (1 - Math.min(1, data[pixel]))) };
}

/** Clears the pixels of all subjects but one, in place. */
function clearOthers({ width, height, data }: Raster8, all: FloatImage, one: FloatImage): void {
  for (let y = 0; y < height; y++) {
    const row = Math.floor((y * all.height) / height) * all.width;
    for (let x = 0; x < width; x++) {
      const cell = row + Math.floor((x * all.width) / width);
      if (all.data[cell] > 0 && one.data[cell] === 0)
        data.fill(0, (y * width + x) * 4, (y * width + x + 1) * 4);
    }
  }
}

function getDraft({ width, height, data }: FloatImage): Draft {
  return { width, height, opacity: Uint8Array.from(data, (value) => Math.round(value * 255)) };
}
