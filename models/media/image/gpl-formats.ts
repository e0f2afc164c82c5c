import { z } from 'zod';
import type { Operation } from '../../core/operation/define-operation.ts';
import { OperationError } from '../../core/operation/errors.ts';
import type { Media } from '../../core/operation/inputs.ts';
import { VIDEO_FORMATS } from '../../core/runtime/video-codec.ts';
import { findTarget } from './find-format.ts';

/** Params that name a result's format. */
const FORMAT_PARAMS = ['to_format', 'output_format'] as const;

/** Video formats that need GPL encoders: H.264 in MP4 needs x264. */
const GPL_VIDEO_FORMATS: readonly string[] = ['mp4'];

/** Remaining video formats. Operations default to `mp4` when a request names no format. */
const VIDEO = { initial: 'mp4', free: ['webm'] } as const;

export function needsGplEncoder(format: string): boolean {
  return GPL_VIDEO_FORMATS.includes(format) || (findTarget(format)?.needsGplEncoder ?? false);
}

/**
 * Rejects a request whose result only a GPL encoder can write. Formats of other inputs, such as `mp4` for an image, are
 * left to the operation's own check.
 * @param params checked against the operation's schema
 * @param media kinds that the input field accepts
 * @throws OperationError `bad_request` naming the param and the remaining formats
 */
export function assertNoGplFormat(
  { params: schema }: Pick<Operation, 'params'>,
  params: Readonly<Record<string, unknown>>,
  media: readonly Media[],
): void {
  const isVideo = media.every((kind) => kind === 'video');
  const name = FORMAT_PARAMS.find((each) => each in schema.shape);
  if (!name) return;
  const format = params[name] ?? (isVideo ? VIDEO.initial : '');
  if (!needsGplEncoder(String(format)) || isVideoFormat(String(format)) !== isVideo) return;
  const left = isVideo ? VIDEO.free : getImageFormats(schema, name);
  throw new OperationError('bad_request', describeUnavailableFormat(name, String(format), left), {
    kind: 'setting',
    field: name,
  });
}

/**
 * Returns the params as a service without GPL encoders accepts them, for its description. Requests are checked by
 * `assertFreeFormat`, which gives the reason.
 */
export function withoutGplFormats(schema: Operation['params']): Operation['params'] {
  const name = FORMAT_PARAMS.find((each) => each in schema.shape);
  const field = name && schema.shape[name];
  const bare = bareSchema(field);
  if (!name || !(field instanceof z.ZodType) || !(bare instanceof z.ZodEnum)) return schema;
  const formats = bare.options.map(String);
  const left = z.enum(formats.filter((format) => !needsGplEncoder(format)));
  const missing = formats.filter(needsGplEncoder);
  if (missing.length === 0) return schema;
  const { description = bare.description } = field;
  const note = `This service has no GPL encoder, which ${missing.join(' and ')} would need.`;
  const isOptional = field.safeParse(undefined).success;
  const meta = { description: [description, note].filter(Boolean).join(' ') };
  return schema.safeExtend({ [name]: (isOptional ? left.optional() : left).meta(meta) });
}

/** Builds the message for an unavailable format and its alternatives. */
export function describeUnavailableFormat(param: string, format: string, left: readonly string[]): string {
  return `${param}: ${format} needs a GPL encoder, which this service leaves out. Choose ${left.join(', ')}.`;
}

function getImageFormats(schema: Operation['params'], name: string): string[] {
  const field = bareSchema(schema.shape[name]);
  const values = field instanceof z.ZodEnum ? field.options.map(String) : [];
  return values.filter((value) => !needsGplEncoder(value) && !isVideoFormat(value));
}

/** Returns the schema of a param's values, without what makes the param optional. */
function bareSchema(field: unknown): unknown {
  const isWrapped =
    field instanceof z.ZodOptional || field instanceof z.ZodDefault || field instanceof z.ZodPrefault;
  return isWrapped ? bareSchema(field.unwrap()) : field;
}

function isVideoFormat(format: string): boolean {
  return VIDEO_FORMATS.some((each) => each === format);
}
