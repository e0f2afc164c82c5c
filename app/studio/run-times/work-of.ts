/** Amount of work of a run, and the kinds of runs that it is one of. */
export interface RunWork {
  /** Megapixels of an image, seconds of a recording, or megapixels times seconds of a video. */
  readonly amount: number;
  /** From the most alike to all that have the same unit: the time of a run depends on the kind as well. */
  readonly kinds: readonly string[];
}

/** Params on which it depends how long a unit of work takes. */
const TELLING_PARAMS = ['to_format', 'engine', 'model', 'scale', 'stems', 'num_images'] as const;

/**
 * Files and code that are loaded when a run starts: none in this browser, the files that an earlier tab has stored, or
 * all that an earlier run of this tab took.
 */
export type RunStart = 'first' | 'cold' | 'warm';

/**
 * Returns the work of a run on an input of some facts; undefined where they do not tell.
 * @param getStart tells how a run of a unit of work starts: `image`, `video` or `sound`
 */
export function getWork(
  facts: object,
  params: object,
  getStart: (unit: string) => RunStart,
): RunWork | undefined {
  const { width, height, durationSeconds, mediaType = '' } = facts as Readonly<Record<string, unknown>>;
  const isSized = typeof width === 'number' && typeof height === 'number';
  const isTimed = typeof durationSeconds === 'number';
  if (!isSized && !isTimed) return undefined;
  const amount = (isSized ? (width * height) / 1e6 : 1) * (isTimed ? durationSeconds : 1);
  if (!(amount > 0)) return undefined;
  const unit = isSized ? (isTimed ? 'video' : 'image') : 'sound';
  const settings = [unit, ...TELLING_PARAMS.flatMap((name) => describeParam(params, name))].join(' ');
  const alike = `${settings} ${mediaType}`;
  return { amount, kinds: [`${alike} ${getStart(unit)}`, alike, settings, unit] };
}

function describeParam(params: object, name: string): string[] {
  const value = (params as Readonly<Record<string, unknown>>)[name];
  return value === undefined ? [] : [`${name}=${value}`];
}
