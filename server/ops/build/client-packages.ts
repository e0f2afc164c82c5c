import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import manifest from '../../../clients/typescript/package.json' with { type: 'json' };
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context.ts';
import { withTempDir } from '../../base/temp-dir.ts';

/** Folder of the packages below `public`, and their path on the service. */
export const CLIENTS_PATH = 'docs/clients';

/** Version of all packages, which rises with every change of one: `npm run release-clients`. */
export const CLIENTS_VERSION: string = manifest.version;

/** Names of the files that install the clients, for npm and for pip. */
export const CLIENT_PACKAGES = {
  typescript: `darkroom-client-${CLIENTS_VERSION}.tgz`,
  python: `darkroom-${CLIENTS_VERSION}-py3-none-any.whl`,
} as const;

/** Folder of the worker's package below `public`, and its path on the service. */
export const WORKER_PATH = 'docs/self-hosted-workers';

/** Name of the file that installs a self-hosted worker, for npm. */
export const WORKER_PACKAGE = `darkroom-worker-${CLIENTS_VERSION}.tgz`;

const MEDIA_TYPE = 'application/octet-stream';
const NAME = /^darkroom[\w.-]*\.(tgz|whl)$/;

function getKey(name: string): string {
  return `packages/${name}`;
}

/**
 * Keeps the packages of this version in the store, so that they stay at their addresses once a later version has
 * replaced them. What the store has stays as it is.
 * @param folder of the packages of this version
 */
export async function keepPackages(
  { env, storage }: Pick<Context, 'env' | 'storage'>,
  folder: string,
): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => NAME.test(name));
  await withTempDir(env, async (directory) => {
    for (const name of names) {
      if (await isKept(storage, name)) continue;
      const copy = join(directory, name);
      await copyFile(join(folder, name), copy);
      await storage.putFile(getKey(name), copy, MEDIA_TYPE);
    }
  });
}

async function isKept(storage: Context['storage'], name: string): Promise<boolean> {
  try {
    (await storage.get(getKey(name))).stream.destroy();
    return true;
  } catch (thrown) {
    if (isMissing(thrown)) return false;
    throw thrown;
  }
}

/** Responds with a package that an earlier version of the service has offered; 404 without one. */
export async function serveEarlierPackage(
  { storage }: Pick<Context, 'storage'>,
  name: string,
): Promise<Response> {
  try {
    if (!NAME.test(name)) throw new OperationError('not_found', 'There is no such package.');
    const { stream } = await storage.get(getKey(name));
    const headers = {
      'content-type': MEDIA_TYPE,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    };
    return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, { headers });
  } catch (thrown) {
    if (isMissing(thrown)) return new Response('Not found.\n', { status: 404 });
    throw thrown;
  }
}

function isMissing(thrown: unknown): boolean {
  return thrown instanceof OperationError && thrown.code === 'not_found';
}
