import { expect, test } from 'vitest';
import { FAILURE_WORDS, failureWords } from '../../app/(studio)/batch/failure-words.ts';
import { messageOf, OperationError } from '../../models/errors.ts';
import { probeImage } from '../../models/files/headers/image-header.ts';
import { parseParams } from '../../models/params.ts';
import { OPERATIONS } from '../../models/registry.ts';
import { toOutcome, unwrap } from '../../workers/protocol.ts';

const PNG_SIGNATURE = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);

test.each([
  ['setting', () => parseParams(OPERATIONS['media-convert-image'].params, { to_format: 'svg' })],
  ['empty', () => probeImage(new Blob([]), { pixelsMax: 1 })],
  ['unknown_format', () => probeImage(new Blob(['Words, and no image.']), { pixelsMax: 1 })],
  ['damaged', () => probeImage(new Blob([PNG_SIGNATURE, 'no header']), { pixelsMax: 1 })],
  ['fault', () => Promise.reject(new TypeError('undefined is not a function'))],
] as const)('a failure of kind %s is worded for its reader, beyond a worker, too', async (kind, work) => {
  const outcome = await toOutcome<unknown>(async () => work());
  const failure = await Promise.resolve(outcome)
    .then(unwrap)
    .catch((thrown) => thrown);
  expect(failureWords(failure)).toBe(FAILURE_WORDS[kind]);
  expect(messageOf(failure)).not.toBe(FAILURE_WORDS[kind]);
});

test('a message of no kind stays as it is', () => {
  expect(failureWords(new OperationError('unavailable', 'The server is away.'))).toBe('The server is away.');
});

test('no words for visitors name a field of the API or a part of a browser', () => {
  for (const words of Object.values(FAILURE_WORDS)) {
    expect(words).not.toMatch(/\w_\w|SharedArrayBuffer|wasm|param|input|[Ss]end |: must/);
  }
});
