import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '../../..');
const execute = promisify(execFile);

export const TOY = { id: 'toy-invert', title: 'Invert images', path: '/toy/v1/invert', slug: 'toy' } as const;

/** Memory that a run needs on a device for each pixel: so much that small images tell devices apart. */
export const TOY_BYTES_PER_PIXEL = 1_000_000;

/** All files of an operation and its page. */
export const TOY_FILES: Readonly<Record<string, string>> = {
  'models/operations/toy/schema.ts': `
    import { z } from 'zod';

    export const paramsSchema = z.strictObject({
      channels: z.enum(['all', 'red']).default('all').meta({ description: 'The channels to invert.' }),
    });

    export type ToyParams = z.output<typeof paramsSchema>;
  `,
  'models/operations/toy/operation.ts': `
    import { probeImage } from '../../media/image/image-header.ts';
    import { defineOperation } from '../../core/operation/define-operation.ts';
    import { paramsSchema } from './schema.ts';

    export const toyInvert = defineOperation({
      id: '${TOY.id}',
      title: '${TOY.title}',
      summary: 'Inverts the colours of an image.',
      path: '${TOY.path}',
      authentication: 'bearer',
      inputs: { image_url: { media: ['image'], encoding: 'url', description: 'HTTP(S) URL of an image.' } },
      params: paramsSchema,
      lane: 'interactive',
      limits: { inputBytesMax: 1_000_000, runSecondsMax: 60, memoryBytesMax: 500_000_000 },
      probe: (input) => probeImage(input, { pixelsMax: 1_000_000 }),
      deviceNeeds: ({ width, height }) => ({ memoryBytes: ${TOY_BYTES_PER_PIXEL} * width * height }),
      rates: { image: { amount: 3_000n, per: 'image' } },
      price: (_facts, _params, { image }) => image,
      command: { name: 'invert', suffix: '-inverted' },
      testResult: ({ width, height }) => ({
        files: [{ kind: 'image', name: 'output.png', format: 'png', width, height }],
      }),
      load: () => import('./run.ts'),
    });
  `,
  'models/operations/toy/run.ts': `
    import { firstFrame, getPicture } from '../../kernels/raster/picture.ts';
    import type { RunResult } from '../../core/operation/run-result.ts';
    import type { Runtime } from '../../core/runtime/runtime.ts';
    import type { ToyParams } from './schema.ts';

    export async function run(input: Blob, { channels }: ToyParams, { images, signal }: Runtime): Promise<RunResult> {
      const picture = await images.decode(input, { frames: 'first', colour: 'srgb', signal });
      const { width, height, data } = await firstFrame(picture);
      const inverted = Uint8Array.from(data, (sample, at) => {
        const isInverted = channels === 'red' ? at % 4 === 0 : at % 4 < 3;
        return isInverted ? 255 - sample : sample;
      });
      const blob = await images.encode(
        getPicture({ width, height, data: inverted }, { hasAlpha: picture.hasAlpha, metadata: {} }),
        { format: 'png', quality: 100, background: [255, 255, 255], metadata: {}, signal },
      );
      return { files: [{ name: 'output.png', mediaType: 'image/png', blob }], engine: 'toy', warnings: [] };
    }
  `,
  'app/studio/toy/tool.ts': `
    import { Contrast } from 'lucide-react';
    import { KITTEN } from '../files/samples.ts';
    import type { Tool } from '../tools/tool.ts';

    export const toyTool: Tool = {
      operationId: '${TOY.id}',
      slug: '${TOY.slug}',
      name: '${TOY.title}',
      icon: Contrast,
      brief: 'Dark becomes light',
      promise: 'Dark becomes light.',
      takes: ['image'],
      extensions: [],
      sample: KITTEN,
    };
  `,
  'app/studio/toy/toy-tool.tsx': `
    'use client';

    import type { Field } from '../tools/fields.ts';
    import { ToolFrame } from '../tool-frame/tool-frame.tsx';
    import type { Wording } from '../tools/wording.ts';

    const WORDING: Wording = {
      lead: 'Dark becomes light.',
      verb: 'Invert',
      fields: {
        channels: { label: 'Channels', choices: { all: 'All', red: 'Red' }, explain: () => '' },
      },
    };

    export function ToyTool({ fields }: { readonly fields: readonly Field[] }) {
      return <ToolFrame operationId="${TOY.id}" fields={fields} wording={WORDING} />;
    }
  `,
};

/** Lists that name every operation, with the line to add before the first occurrence of a text in each. */
export const LISTS: readonly { readonly file: string; readonly before: string; readonly line: string }[] = [
  {
    file: 'models/registry.ts',
    before: '/** ',
    line: `import { toyInvert } from './operations/toy/operation.ts';\n`,
  },
  { file: 'models/registry.ts', before: '} as const;', line: `'${TOY.id}': toyInvert,\n` },
  {
    file: 'app/studio/tools/tools.ts',
    before: '/** ',
    line: `import { toyTool } from '../toy/tool.ts';\n`,
  },
  {
    file: 'app/studio/tools/tools.ts',
    before: '};\n\nexport const TOOL_LIST',
    line: `'${TOY.id}': toyTool,\n`,
  },
  {
    file: 'app/(tools)/[tool]/tool-parts.tsx',
    before: '};\n\ninterface ToolPartsProps',
    line: `'${TOY.id}': dynamic(async () => (await import('../../studio/toy/toy-tool.tsx')).ToyTool),\n`,
  },
];

/**
 * Copies the product, including uncommitted changes, and adds the toy operation.
 * @returns the copy's folder, which the caller deletes
 */
export async function copyWithToyOperation(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'darkroom-toy-'));
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ':!tests'];
  const { stdout } = await execute('git', list, { cwd: ROOT, maxBuffer: 10_000_000 });
  const files = stdout.split('\0').filter(Boolean);
  for (const file of files) {
    await mkdir(dirname(join(copy, file)), { recursive: true });
    await copyFile(join(ROOT, file), join(copy, file));
  }
  // A separate repository tells what is edited from here on.
  await execute('git', ['init', '--quiet'], { cwd: copy });
  await execute('git', ['add', '--all'], { cwd: copy });
  await copyPackages(copy);
  await copyEncodedFiles(copy);
  for (const [file, source] of Object.entries(TOY_FILES)) {
    await mkdir(dirname(join(copy, file)), { recursive: true });
    await writeFile(join(copy, file), source);
  }
  for (const { file, before, line } of LISTS) {
    const source = await readFile(join(copy, file), 'utf8');
    if (!source.includes(before)) throw new Error(`${file}: has no ${JSON.stringify(before)}`);
    await writeFile(
      join(copy, file),
      source.replace(before, () => line + before),
    );
  }
  return copy;
}

/** Lists the files of the copy that are new or edited, by their path. */
export async function listEdits(copy: string): Promise<readonly string[]> {
  const list = ['ls-files', '-z', '--modified', '--others', '--exclude-standard'];
  const { stdout } = await execute('git', list, { cwd: copy });
  return stdout.split('\0').filter(Boolean);
}

/**
 * Copies packages by hard links where the file system allows them: Next follows no link to a folder outside the
 * project.
 */
async function copyPackages(copy: string): Promise<void> {
  const [from, to] = [join(ROOT, 'node_modules'), join(copy, 'node_modules')];
  await execute('cp', ['-al', from, to]).catch(() => execute('cp', ['-R', from, to]));
  // Tools write there, through a link into our own cache.
  await rm(join(to, '.cache'), { recursive: true, force: true });
}

/** Copies the compressed large files of this build, as a second build in one folder has them. */
async function copyEncodedFiles(copy: string): Promise<void> {
  const [from, to] = [join(ROOT, '.next/cache/encoded'), join(copy, '.next/cache/encoded')];
  await cp(from, to, { recursive: true });
}

/**
 * Runs a command in the copy.
 * @throws Error with its output when it fails
 */
export async function runIn(copy: string, program: string, ...args: string[]): Promise<void> {
  const env = { ...process.env, NODE_ENV: 'production' as const, NEXT_TELEMETRY_DISABLED: '1' };
  const options = { cwd: copy, env, maxBuffer: 10_000_000 };
  await execute(program, args, options).catch(({ stdout, stderr }) => {
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  });
}
