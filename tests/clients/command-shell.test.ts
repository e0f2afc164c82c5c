import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EXIT, EXIT_MEANINGS } from '../../clients/typescript/src/cli/exit-codes.ts';
import { main } from '../../clients/typescript/src/cli/main.ts';
import { schema } from '../../server/base/database/db.ts';
import { createTestTerminal } from '../support/clients/test-terminal.ts';
import { drawRedBall } from '../support/service/api.ts';
import { type LoopbackService, startLoopbackService } from '../support/service/loopback-service.ts';

let service: LoopbackService;
beforeAll(async () => {
  service = await startLoopbackService();
});
afterAll(() => service.stop());

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'darkroom-shell-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const getEnv = () => ({
  DARKROOM_URL: service.url,
  DARKROOM_KEY: service.api.apiKey,
  XDG_CONFIG_HOME: join(folder, '.config'),
});
const terminal = () => createTestTerminal({ env: getEnv(), cwd: folder });
const put = async (...names: string[]) => {
  for (const name of names) await writeFile(join(folder, name), await drawRedBall());
};
const getFormat = async (name: string) => (await sharp(join(folder, name)).metadata()).format;

describe('standard streams', () => {
  it('convert standard input to standard output, with the report apart', async () => {
    const input = await drawRedBall();
    const user = createTestTerminal({ env: getEnv(), cwd: folder, input });
    expect(await main(['convert', '-', '--to', 'webp', '--out', '-'], user)).toBe(0);
    expect((await sharp(user.written()).metadata()).format).toBe('webp');
    expect(user.printed()).toBe('');
    expect(user.messages()).toMatch(/^- → - {2}0\.002 USD$/m);
    expect(await readdir(folder)).toEqual([]);
  });

  it('write standard input to a file, and a file to standard output', { tags: ['long'] }, async () => {
    const input = await drawRedBall();
    const user = createTestTerminal({ env: getEnv(), cwd: folder, input });
    expect(await main(['convert', '-', '--to', 'gif', '--out', 'a.gif'], user)).toBe(0);
    expect(await getFormat('a.gif')).toBe('gif');
    expect(user.written()).toHaveLength(0);
    const second = terminal();
    expect(await main(['convert', 'a.gif', '--to', 'png', '-o', '-'], second)).toBe(0);
    expect((await sharp(second.written()).metadata()).format).toBe('png');
  });

  it('hold one file', async () => {
    await put('a.png', 'b.png');
    for (const args of [
      ['convert', 'a.png', 'b.png', '--to', 'gif', '--out', '-'],
      ['convert', '-', 'a.png', '--to', 'gif'],
      ['stems', 'a.png', '--out', '-'],
    ]) {
      expect(await main(args, terminal())).toBe(2);
    }
  });
});

describe('the command says', () => {
  it('its version and what each exit code means', async () => {
    const user = terminal();
    expect(await main(['--version'], user)).toBe(0);
    expect(user.printed()).toMatch(/^darkroom \d+\.\d+\.\d+\n$/);
    expect(await main(['--help'], user)).toBe(0);
    for (const [name, meaning] of Object.entries(EXIT_MEANINGS)) {
      const [first = ''] = meaning.split(/[.:]/);
      expect(user.printed()).toContain(`  ${EXIT[name as keyof typeof EXIT]}`);
      expect(user.printed()).toContain(first);
    }
  });

  it('the reference of its jobs to the service, and that --local has none', async () => {
    await put('a.png');
    expect(await main(['convert', 'a.png', '--to', 'gif', '--reference', 'order-5'], terminal())).toBe(0);
    const [job] = await service.api.ctx.db
      .select()
      .from(schema.jobs)
      .where(eq(schema.jobs.reference, 'order-5'));
    expect(job?.status).toBe('COMPLETED');
    const local = terminal();
    expect(await main(['convert', 'a.png', '--to', 'gif', '--reference', 'x', '--local'], local)).toBe(2);
    expect(local.messages()).toContain('--reference');
  });

  it.for([
    [['convert', '--to', 'w'], 'webp'],
    [['con'], 'convert'],
    [['upscale', '--sc'], '--scale'],
    [['remove-bg', '--refer'], '--reference'],
    [['upscale', '--run'], '--run-on'],
    [['upscale', '--run-on', 'o'], 'own'],
    [['mcp', '--m'], '--max-usd'],
    [['completion', 'f'], 'fish'],
  ] as const)('to bash how %o goes on', async ([words, expected]) => {
    const user = terminal();
    expect(await main(['completion', 'bash'], user)).toBe(0);
    const line = ['darkroom', ...words];
    const ask = `COMP_WORDS=(${line.join(' ')}) COMP_CWORD=${words.length}; _darkroom; echo "\${COMPREPLY[*]}"`;
    const { stdout } = await promisify(execFile)('bash', ['-c', `${user.printed()}\n${ask}`]);
    expect(stdout.trim().split(' ')).toContain(expected);
  });

  it('to zsh and fish how it goes on, and refuses other shells', async () => {
    const zsh = terminal();
    expect(await main(['completion', 'zsh'], zsh)).toBe(0);
    expect(zsh.printed()).toContain('bashcompinit');
    const fish = terminal();
    expect(await main(['completion', 'fish'], fish)).toBe(0);
    expect(fish.printed()).toMatch(/^complete -c darkroom .*convert' -l to -x -a '.*avif/m);
    for (const args of [['completion'], ['completion', 'tcsh'], ['completion', 'toString']]) {
      expect(await main(args, terminal())).toBe(2);
    }
  });
});
