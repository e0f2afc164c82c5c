import { describe, expect, test } from 'vitest';
import { FAILURE_WORDS, failureWords } from '../../app/(studio)/batch/failure-words.ts';
import { wordWarnings } from '../../app/(studio)/batch/warning-words.ts';
import { SERVER_WORDS } from '../../app/(studio)/service/server-error.ts';
import { callService } from '../../app/(studio)/service/service-call.ts';
import { type ErrorCode, messageOf, OperationError, problemOf } from '../../models/errors.ts';
import { probeImage } from '../../models/files/headers/image-header.ts';
import { parseParams } from '../../models/params.ts';
import { OPERATIONS } from '../../models/registry.ts';
import { writeWarning } from '../../models/run-warnings.ts';
import { jsonResponse, problem } from '../../server/http/problem.ts';
import { createLogger } from '../../server/log.ts';
import { toOutcome, unwrap } from '../../workers/protocol.ts';

const silent = createLogger('silent', 'test');
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

describe.each([
  ['any operation', undefined],
  ['the moderator', OPERATIONS['image-moderation'].faults],
])('a failure that the server reports for %s', (_name, faults) => {
  const { signal } = new AbortController();
  const failureIn = (response: Response) =>
    callService(async () => response, signal, { attemptsMax: 1 }).catch((thrown) => thrown);

  test.each(Object.keys(SERVER_WORDS) as ErrorCode[])('is worded by its code: %s', async (code) => {
    const response = problem(new OperationError(code, 'For programmers.'), silent, { faults });
    expect(failureWords(await failureIn(response))).toBe(SERVER_WORDS[code]);
  });

  test('is worded by its title where the response has no code', async () => {
    const { status, title } = problemOf('insufficient_balance', faults);
    const replayed = jsonResponse(status, { error: title, message: 'For programmers.' });
    expect(failureWords(await failureIn(replayed))).toBe(SERVER_WORDS.insufficient_balance);
  });
});

test('warnings of replaced models name the models for people, and others stay', async () => {
  const other = 'The image has 16 bits per sample, of which 8 could be read here.';
  const warnings = [
    writeWarning('replaced', 'isnet-general-use', 'u2netp'),
    writeWarning('other_provider', 'webgpu failed (device lost; for good)', 'wasm'),
    other,
  ];
  expect(await wordWarnings('remove-bg', warnings)).toEqual([
    'The model ISNet could not be used this time. The model U²-Net small took its place.',
    'The fastest way to run the model failed, so a slower one did the work.',
    other,
  ]);
  expect(await wordWarnings('remove-bg', [writeWarning('fallback', 'matte')])).toEqual([
    expect.stringMatching(/^Only the model that comes with Darkroom was available\./),
  ]);
});

test('no words for visitors name a field of the API or a part of a browser', () => {
  for (const words of [...Object.values(FAILURE_WORDS), ...Object.values(SERVER_WORDS)]) {
    expect(words).not.toMatch(/\w_\w|SharedArrayBuffer|wasm|param|input|[Ss]end |: must/);
  }
});

test('the name of a param is left out', () => {
  const failure = new OperationError(
    'bad_request',
    'scale: 2400 x 1500 pixels are too many. Use a smaller factor.',
  );
  expect(failureWords(failure)).toBe('2400 x 1500 pixels are too many. Use a smaller factor.');
  expect(failureWords(new OperationError('bad_request', 'url: the page has no image.'))).toBe(
    'The page has no image.',
  );
});
