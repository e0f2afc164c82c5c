import { fieldError } from '../../core/operation/errors.ts';
import type { TestImage, TestVideo } from '../../core/operation/run-result.ts';
import type { ImageSize } from '../../core/runtime/raster.ts';
import { VIDEO_FORMATS, type VideoFormat } from '../../core/runtime/video-codec.ts';
import { findTarget } from './find-format.ts';

/** Formats of an image that an operation makes of another one. */
export const OUTPUT_FORMATS = ['png', 'jpeg', 'webp'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/**
 * Returns the format of a result: the requested one, or the first.
 * @param formats allowed for the input
 * @param noun of the input, for the message: `an image`
 * @throws OperationError `bad_request` naming `output_format` when the requested one belongs to other inputs
 */
function chooseFormat<Format extends string>(
  formats: readonly [Format, ...Format[]],
  requested: string | undefined,
  noun: string,
): Format {
  const format = requested === undefined ? formats[0] : formats.find((known) => known === requested);
  if (format) return format;
  throw fieldError('output_format', `must be one of ${formats.join(', ')} for ${noun}.`);
}

/** Returns the format of an image's result. @throws OperationError `bad_request` for a video format */
export function chooseImageFormat(requested: string | undefined): OutputFormat {
  return chooseFormat(OUTPUT_FORMATS, requested, 'an image');
}

/** Returns the format of a video's result. @throws OperationError `bad_request` for an image format */
export function chooseVideoFormat(requested: string | undefined): VideoFormat {
  return chooseFormat(VIDEO_FORMATS, requested, 'a video');
}

/**
 * Describes the only file of a test's result, of the kind of its input.
 * @param requested format
 */
export function describeTestOutput(
  facts: object | { readonly durationSeconds: number },
  requested: string | undefined,
  size: Omit<TestImage, 'kind' | 'format' | 'name'>,
): TestImage | TestVideo {
  if ('durationSeconds' in facts) {
    const { durationSeconds } = facts;
    return { kind: 'video', ...nameOutput(chooseVideoFormat(requested)), ...size, durationSeconds };
  }
  return { kind: 'image', ...nameOutput(chooseImageFormat(requested)), ...size };
}

function nameOutput<Format extends string>(format: Format): { format: Format; name: string } {
  return { format, name: `output.${format}` };
}

/**
 * Checks that a format can hold a result.
 * @param format as the request names it
 * @throws OperationError `bad_request` naming `output_format`
 */
export function assertFitsFormat({ width, height }: ImageSize, format: string): void {
  const sideMax = findTarget(format)?.sideMax ?? Number.POSITIVE_INFINITY;
  if (Math.max(width, height) <= sideMax) return;
  throw fieldError(
    'output_format',
    `${format} holds at most ${sideMax} pixels per side, but the result has ${width} x ${height}. Choose png.`,
    { kind: 'too_large_for_format' },
  );
}
