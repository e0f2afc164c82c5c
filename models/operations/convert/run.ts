import { fieldError } from '../../core/operation/errors.ts';
import type { OutputFile, RunResult } from '../../core/operation/run-result.ts';
import type { Picture } from '../../core/runtime/image-codec.ts';
import { WHITE } from '../../core/runtime/raster.ts';
import { formatWarning, type RunWarning } from '../../core/runtime/run-warnings.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { steps } from '../../core/runtime/steps.ts';
import { getTarget, holdsMetadata, imageFormatOf } from '../../media/image/find-format.ts';
import { listLostImages } from '../../media/image/list-lost-images.ts';
import { completeFile } from '../../media/repair/read-image-file.ts';
import { collectMetadata, type KeptMetadata, WITHOUT_METADATA } from './kept-metadata.ts';
import type { ConvertParams } from './schema.ts';

/** Encoders are slower than decoders. */
export const STEPS = steps({ decoding: 0.3, encoding: 0.7 });

/**
 * Converts one image. The image becomes upright, in sRGB unless its metadata stays with it.
 * @throws OperationError `unprocessable` when the image is corrupt or does not fit the target
 */
export async function run(input: Blob, params: ConvertParams, runtime: Runtime): Promise<RunResult> {
  const { images, signal } = runtime;
  const target = getTarget(params.to_format);
  const { step } = STEPS.of(runtime.progress);
  const colour = params.keep_metadata && holdsMetadata(target) ? 'own' : 'srgb';
  const picture = await step('decoding', () =>
    images.decode(input, { frames: target.holds.several ? 'all' : 'first', colour, signal }),
  );
  if (target.sideMax && Math.max(picture.width, picture.height) > target.sideMax) {
    throw fieldError(
      'to_format',
      `${params.to_format} holds at most ${target.sideMax} pixels per side, but the image has ${picture.width} x ${picture.height}. Choose png, tiff or heic.`,
      { code: 'unprocessable', kind: 'too_large_for_format' },
    );
  }
  const { kept, lost } = await readSource(input, picture, params);
  const blob = await step('encoding', (onProgress) =>
    images.encode(picture, {
      format: target.id,
      quality: params.quality,
      background: WHITE,
      metadata: kept.metadata,
      signal,
      onProgress,
    }),
  );
  const file: OutputFile = { name: `output.${params.to_format}`, mediaType: target.mediaType, blob };
  return {
    files: [file],
    engine: 'codec',
    warnings: [...warningsOf(picture, params), ...lost, ...kept.warnings],
  };
}

interface SourceFacts {
  readonly kept: KeptMetadata;
  readonly lost: readonly RunWarning[];
}

/** Reads from the source file what its decoded image does not tell. */
async function readSource(input: Blob, picture: Picture, params: ConvertParams): Promise<SourceFacts> {
  const bytes = new Uint8Array(await input.arrayBuffer());
  const format = imageFormatOf(bytes);
  const file = format ? (await completeFile(bytes, format)).bytes : bytes;
  const kept = params.keep_metadata
    ? await collectMetadata(file, picture, getTarget(params.to_format))
    : WITHOUT_METADATA;
  // A file that ends after its first frame has lost the others before.
  const isCutOff = picture.warnings?.some(({ kind }) => kind === 'missing_frames') ?? false;
  return { kept, lost: isCutOff ? [] : await listLostImages(file, picture.frameCount) };
}

/** Lists what the conversion lost although it was requested or the target could hold it. */
function warningsOf(picture: Picture, { to_format, keep_metadata }: ConvertParams): RunWarning[] {
  const target = getTarget(to_format);
  const warnings = [...(picture.warnings ?? [])];
  if (target.holds.is16Bit && picture.fileBitDepth && picture.fileBitDepth > picture.bitDepth) {
    const { fileBitDepth, bitDepth } = picture;
    warnings.push(formatWarning('fewer_bits', String(fileBitDepth), String(bitDepth)));
  }
  if (keep_metadata && !holdsMetadata(target)) {
    warnings.push(formatWarning('no_metadata', to_format));
  }
  return warnings;
}
