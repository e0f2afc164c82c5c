import { describe, expect, it } from 'vitest';
import { UsageError } from '../../clients/typescript/src/cli/exit-codes.ts';
import {
  chooseOutputLocation,
  firstOutputPath,
  listOutputPaths,
} from '../../clients/typescript/src/cli/files.ts';
import {
  COMMON_FLAGS,
  findFileOperation,
  findOperation,
  parseFlags,
  replaceParamByFlag,
} from '../../clients/typescript/src/cli/flags.ts';
import { generalHelp, operationHelp } from '../../clients/typescript/src/cli/help.ts';
import { COMMANDS } from '../../clients/typescript/src/cli/operation-commands.ts';
import { sumUsd } from '../../clients/typescript/src/cli/report.ts';
import { OPERATION_IDS, OPERATIONS } from '../../models/registry.ts';

describe('flags', () => {
  it('become the params of the operation', () => {
    const { params, inputs } = parseFlags('image-outpaint', [
      ...['a.png', '--expand-left', '200', '--prompt', 'a sea', '--no-enable-safety-checker'],
      ...['--to', 'webp', 'b.png', '--seed=7'],
    ]);
    expect(inputs).toEqual(['a.png', 'b.png']);
    const own = { expand_left: 200, prompt: 'a sea', enable_safety_checker: false, seed: 7 };
    expect(params).toEqual({ ...own, output_format: 'webp' });
    expect(OPERATIONS['image-outpaint'].params.safeParse(params).success).toBe(true);
  });

  it('accept lists, numbers with choices, and the long name of a format', () => {
    const categories = ['a.png', '--categories', 'Hate,Sexual', '--categories', 'Violence'];
    expect(parseFlags('image-moderation', [...categories, '--severity-threshold', '4']).params).toEqual({
      categories: ['Hate', 'Sexual', 'Violence'],
      severity_threshold: 4,
    });
    expect(parseFlags('upscale', ['a.png', '--output-format', 'webp', '--scale', '4']).params).toEqual({
      output_format: 'webp',
      scale: 4,
    });
  });

  it('accept an object as JSON', () => {
    const position = ['a.png', '--size', 'square', '--position', '{"x": 0.3}'];
    expect(parseFlags('remove-bg', position).params).toEqual({ size: 'square', position: { x: 0.3 } });
    expect(() => parseFlags('remove-bg', ['a.png', '--position', 'left'])).toThrow(
      /^--position: must be an object/,
    );
  });

  it('belong to the same operation under each earlier name of its command, which no list shows', () => {
    const earlier = {
      'image-convert': 'media-convert-image',
      outpaint: 'image-outpaint',
      safety: 'image-moderation',
      'separate-stems': 'audio-separate-stems',
      'who-spoke': 'audio-diarize',
    };
    for (const [name, id] of Object.entries(earlier)) {
      expect(findOperation(name)).toBe(id);
      expect(generalHelp()).not.toContain(`  ${name} `);
    }
    expect(findOperation('invert')).toBeUndefined();
    expect(() => findFileOperation('run_pipeline')).toThrow(/^run_pipeline: .*darkroom run RECIPE/);
  });

  it('become the fields that every request has', () => {
    const labels = ['--reference', 'order 5', '--metadata', 'customer=ACME', '--metadata', 'note=a=b'];
    const { params } = parseFlags('upscale', ['a.png', ...labels, '--run-on', 'own']);
    expect(params).toEqual({
      reference: 'order 5',
      metadata: { customer: 'ACME', note: 'a=b' },
      run_on: 'own',
    });
    expect(parseFlags('upscale', ['a.png']).cache).toBe(true);
    expect(parseFlags('upscale', ['a.png', '--no-cache']).cache).toBe(false);
    for (const given of [labels.slice(0, 2), labels.slice(2, 4), ['--run-on', 'own'], ['--no-cache']]) {
      expect(() => parseFlags('upscale', ['a.png', '--local', ...given])).toThrow(
        `${given[0]}: is about a job`,
      );
    }
    expect(replaceParamByFlag('upscale', 'run_on: must be one of service, own.')).toMatch(/^--run-on: /);
  });

  it.each([
    [
      ['a.png', '--to', 'png', '--run-on', 'mine'],
      /^--run-on: unknown value "mine"\. Choose service, own\.$/,
    ],
    [['a.png', '--to', 'png', '--metadata', 'a'], /^--metadata: "a" must be KEY=VALUE/],
    [['a.png', '--to', 'png', '--metadata', '=a'], /^--metadata: /],
    [['a.png', '--too', 'avif'], /^--too: unknown option/],
    [['a.png'], /^--to: required. Choose jpg, /],
    [['a.png', '--to', 'psd'], /^--to: unknown value "psd"\. Choose jpg, /],
    [['a.png', '--to', 'jpg', '--quality', 'high'], /^--quality: "high" is not a number/],
    [['a.png', '--to', 'jpg', '--quality', ''], /^--quality: "" is not a number/],
    [['a.png', '--to', 'jpg', '--jobs', '17'], /^--jobs: must be a whole number from 1 to 16/],
    [['a.png', '--to'], /--to/],
    [['--to', 'jpg'], /^Name at least one file/],
  ])('refuse %j', (args, message) => {
    expect(() => parseFlags('media-convert-image', args)).toThrow(message);
    expect(() => parseFlags('media-convert-image', args)).toThrow(UsageError);
  });

  it.each(OPERATION_IDS)('show every param of %s, none of which is an option of the command', (id) => {
    const common = COMMON_FLAGS.map(({ name }) => name);
    const help = operationHelp(id);
    for (const name of common) expect(help).toMatch(new RegExp(`--${name}( |$)`, 'm'));
    expect(generalHelp()).toContain(`  ${COMMANDS[id].name} `);
    const params = Object.keys(OPERATIONS[id].params.shape).filter((name) => name !== 'sync_mode');
    expect(Object.keys(COMMANDS[id].params)).toEqual(expect.arrayContaining(params));
    for (const param of params) {
      const flag = param.endsWith('_format') ? 'to' : param.replaceAll('_', '-');
      expect(help).toMatch(new RegExp(`^  --(no-)?${flag}( |$)`, 'm'));
      expect([...common, 'to']).not.toContain(param.replaceAll('_', '-'));
    }
    expect(Math.max(...help.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(100);
  });

  it('replace the field of a message', () => {
    expect(replaceParamByFlag('media-convert-image', 'to_format: must be one of jpg.')).toBe(
      '--to: must be one of jpg.',
    );
    expect(replaceParamByFlag('image-outpaint', 'num_images: too many.')).toBe('--num-images: too many.');
    expect(replaceParamByFlag('upscale', 'image_url: must be an image.')).toBe(
      'image_url: must be an image.',
    );
  });
});

describe('names of results', () => {
  const paths = (place: Parameters<typeof listOutputPaths>[0], names: readonly string[]) =>
    listOutputPaths(
      place,
      names.map((name) => ({ name })),
    );
  const place = (input: string, out?: string, inputCount = 1, id: keyof typeof COMMANDS = 'remove-bg') =>
    chooseOutputLocation(COMMANDS[id], input, { cwd: '/home/a', out, inputCount });

  it('follow the input, and lie next to it', async () => {
    const output = await place('images/dog.jpg');
    expect(paths(output, ['output.png'])).toEqual(['/home/a/images/dog-remove-bg.png']);
    const converted = await place('dog.jpg', undefined, 1, 'media-convert-image');
    expect(paths(converted, ['output.avif'])).toEqual(['/home/a/dog.avif']);
    const stems = await place('song.flac', undefined, 1, 'audio-separate-stems');
    expect(paths(stems, ['vocals.mp3', 'no_vocals.mp3'])).toEqual([
      '/home/a/song-vocals.mp3',
      '/home/a/song-no_vocals.mp3',
    ]);
    const url = await place('https://example.com/x/a%20b.jpg?c=d');
    expect(paths(url, ['output.png'])).toEqual(['/home/a/a b-remove-bg.png']);
  });

  it('follow --out, which is a folder for several files', async () => {
    expect(paths(await place('dog.jpg', 'x/cut.png'), ['output.png'])).toEqual(['/home/a/x/cut.png']);
    expect(paths(await place('dog.jpg', 'x', 2), ['output.png'])).toEqual(['/home/a/x/dog-remove-bg.png']);
    expect(paths(await place('dog.jpg', 'x/'), ['output.png'])).toEqual(['/home/a/x/dog-remove-bg.png']);
    expect(paths(await place('dog.jpg', '/tmp'), ['output.png'])).toEqual(['/tmp/dog-remove-bg.png']);
  });

  it('are known before the run', async () => {
    const expected = async (id: keyof typeof COMMANDS, input: string, format?: string) =>
      firstOutputPath(COMMANDS[id], await place(input, undefined, 1, id), input, format);
    expect(await expected('media-convert-image', 'a.heic', 'avif')).toBe('/home/a/a.avif');
    expect(await expected('remove-bg', 'a.jpg')).toBe('/home/a/a-remove-bg.png');
    expect(await expected('remove-bg', 'a.mov')).toBe('/home/a/a-remove-bg.mp4');
    expect(await expected('audio-diarize', 'a.mp3')).toBe('/home/a/a-who-spoke.json');
    expect(await expected('audio-separate-stems', 'a.flac', 'wav')).toBe('/home/a/a-vocals.wav');
  });
});

it('adds amounts without rounding', () => {
  expect(sumUsd(['0.002', '0.0005', '1.10'])).toBe('1.1025');
  expect(sumUsd(['0.50', '0.5'])).toBe('1.00');
  expect(sumUsd(['0.000001', '12'])).toBe('12.000001');
});
