import type { Operation } from '../../../models/core/operation/define-operation.ts';
import type { InputFacts } from '../../../models/core/operation/inputs.ts';
import { pickKnownParams } from '../../../models/core/operation/params.ts';
import type { TestFile } from '../../../models/core/operation/run-result.ts';
import { AUDIO_MEDIA_TYPES } from '../../../models/core/runtime/audio-codec.ts';

/** File that a run is expected to make. */
export interface ExpectedFile {
  readonly kind: TestFile['kind'];
  readonly mediaType: string;
  /** Extension of its name, with the dot. */
  readonly extension: string;
}

/** Room for the largest result: uncompressed pixels or samples take several times the bytes of an input. */
const BYTES_PER_INPUT_BYTE = 16;
const FILE_BYTES_MAX = 2_000_000_000;

/**
 * Lists the files that a run makes of an input, in order, as its operation describes them.
 * @param facts of the input, as stored with the job
 * @param params as stored with the job
 */
export function listExpectedFiles(operation: Operation, facts: object, params: unknown): ExpectedFile[] {
  const { files } = operation.testResult(facts as InputFacts, pickKnownParams(operation, params), 0);
  return files.map((file) => ({
    kind: file.kind,
    mediaType: getMediaType(file),
    extension: file.name.slice(file.name.lastIndexOf('.')),
  }));
}

/** Returns the size limit in bytes of each file of a result. */
export function outputBytesMax({ limits }: Pick<Operation, 'limits'>): number {
  return Math.min(BYTES_PER_INPUT_BYTE * limits.inputBytesMax, FILE_BYTES_MAX);
}

function getMediaType(file: TestFile): string {
  switch (file.kind) {
    case 'image':
      return `image/${file.format}`;
    case 'video':
      return `video/${file.format}`;
    case 'audio':
      return AUDIO_MEDIA_TYPES[file.format];
    case 'json':
      return 'application/json';
  }
}
