import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import recorded from '../../clients/release.json' with { type: 'json' };
import { VERSION } from '../../clients/typescript/src/operations.ts';
import { describeRelease } from '../../lab/support/client-content.ts';
import {
  CLIENT_PACKAGES,
  keepPackages,
  serveEarlierPackage,
} from '../../server/ops/build/client-packages.ts';
import { startApi } from '../support/service/api.ts';

const ROOT = join(import.meta.dirname, '../..');

it('a change of the clients raises their version: npm run release-clients -- "What has changed."', async () => {
  expect(await describeRelease(ROOT)).toEqual(recorded);
  expect(VERSION).toBe(recorded.version);
  const changelog = await readFile(join(ROOT, 'clients/CHANGELOG.md'), 'utf8');
  expect(changelog).toMatch(new RegExp(`^## ${VERSION.replaceAll('.', '\\.')}, \\d{4}-\\d\\d-\\d\\d$`, 'm'));
});

it('packages stay at their addresses once later ones have replaced them', async () => {
  const api = await startApi();
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-packages-'));
  try {
    const name = 'darkroom-client-0.0.9.tgz';
    const serve = (asked: string) => serveEarlierPackage(api.ctx, asked);
    expect((await serve(name)).status).toBe(404);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, name), 'first');
    await writeFile(join(folder, CLIENT_PACKAGES.python), 'wheel');
    await writeFile(join(folder, 'note.txt'), 'no package');
    await keepPackages(api.ctx, folder);
    // A start of another version, and one whose package has other bytes: what was installed keeps its hash.
    await writeFile(join(folder, name), 'other');
    await keepPackages(api.ctx, folder);
    await rm(folder, { recursive: true });
    await keepPackages(api.ctx, folder);
    const kept = await serve(name);
    const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
    expect(sha256(Buffer.from(await kept.arrayBuffer()))).toBe(sha256('first'));
    expect((await serve(CLIENT_PACKAGES.python)).status).toBe(200);
    for (const other of ['note.txt', '../inputs/a', 'darkroom-../a.tgz'])
      expect((await serve(other)).status).toBe(404);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await api.close();
  }
});
