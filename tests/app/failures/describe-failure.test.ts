import { describe, expect, test } from 'vitest';
import {
  describeFailure,
  describeMessages,
  describeWarnings,
  FAILURE_TEXTS,
} from '../../../app/studio/failures/describe-failure.ts';
import { callService, SERVER_FAILURE_TEXTS } from '../../../app/studio/failures/server-error.ts';
import {
  type ErrorCode,
  getMessage,
  getProblem,
  OperationError,
} from '../../../models/core/operation/errors.ts';
import { parseParams } from '../../../models/core/operation/params.ts';
import { formatWarning } from '../../../models/core/runtime/run-warnings.ts';
import { probeImage } from '../../../models/media/image/image-header.ts';
import { OPERATIONS } from '../../../models/registry.ts';
import { jsonResponse, problemResponse } from '../../../server/api/transport/problem.ts';
import { createLogger } from '../../../server/base/log.ts';
import { toOutcome, unwrap } from '../../../workers/bridge/protocol.ts';

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
  expect(describeFailure(failure)).toBe(FAILURE_TEXTS[kind]);
  expect(getMessage(failure)).not.toBe(FAILURE_TEXTS[kind]);
});

test('a message of no kind stays as it is', () => {
  expect(describeFailure(new OperationError('unavailable', 'The server is away.'))).toBe(
    'The server is away.',
  );
});

describe.each([
  ['any operation', undefined],
  ['the moderator', OPERATIONS['image-moderation'].errorOverrides],
])('a failure that the server reports for %s', (_name, faults) => {
  const failureIn = (response: Response) => callService(async () => response).catch((thrown) => thrown);

  test.each(Object.keys(SERVER_FAILURE_TEXTS) as ErrorCode[])('is worded by its code: %s', async (code) => {
    const response = problemResponse(
      new OperationError(code, 'For programmers.'),
      { log: silent },
      { faults },
    );
    expect(describeFailure(await failureIn(response))).toBe(SERVER_FAILURE_TEXTS[code]);
  });

  test('is worded by its title where the response has no code', async () => {
    const { status, title } = getProblem('insufficient_balance', faults);
    const replayed = jsonResponse(status, { error: title, message: 'For programmers.' });
    expect(describeFailure(await failureIn(replayed))).toBe(SERVER_FAILURE_TEXTS.insufficient_balance);
  });
});

test('warnings of replaced models name the models for people, and others stay', async () => {
  const other = formatWarning('gain_map');
  const warnings = [
    formatWarning('replaced', 'isnet-general-use', 'u2netp'),
    formatWarning('other_provider', 'webgpu failed (device lost; for good)', 'wasm'),
    other,
  ];
  expect(await describeWarnings('remove-bg', warnings)).toEqual([
    'The model ISNet could not be used this time. The model U²-Net small took its place.',
    'The fastest way to run the model failed, so a slower one did the work.',
    'The HDR gain map was left out: the result has the standard range of brightness.',
  ]);
  expect(await describeWarnings('remove-bg', [formatWarning('fallback', 'matte')])).toEqual([
    expect.stringMatching(/^Only the model that comes with Darkroom was available\./),
  ]);
});

test('no words for visitors name a field of the API or a part of a browser', () => {
  for (const words of [...Object.values(FAILURE_TEXTS), ...Object.values(SERVER_FAILURE_TEXTS)]) {
    expect(words).not.toMatch(/\w_\w|SharedArrayBuffer|wasm|param|input|[Ss]end |: must/);
  }
});

test('the name of a param is left out', () => {
  const failure = new OperationError(
    'bad_request',
    'scale: 2400 x 1500 pixels are too many. Use a smaller factor.',
  );
  expect(describeFailure(failure)).toBe('2400 x 1500 pixels are too many. Use a smaller factor.');
  expect(describeFailure(new OperationError('bad_request', 'url: the page has no image.'))).toBe(
    'The page has no image.',
  );
});

test('warnings of the API lose the names of its fields, and what the page says itself', () => {
  const messages = [
    formatWarning('no_subject').message,
    formatWarning('of_step', 'shop', formatWarning('not_enlarged', '96 x 64').message).message,
    formatWarning('no_resolution', 'GIF').message,
    'The HDR gain map was left out.',
  ];
  expect(describeMessages(messages)).toEqual([
    expect.stringMatching(/^The image is smaller than that/),
    'GIF files hold no print resolution, so none was written.',
    'The HDR gain map was left out.',
  ]);
});
