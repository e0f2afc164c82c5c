import { copyFile, mkdir, readFile, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VENDOR_FILES, type VendorFile, vendorPath } from '../workers/runtime/vendor.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Copies the files that workers load by URL from their packages to `public/vendor`. Those that are there stay.
 * @throws Error when an installed package has another version than the one the code names
 */
export async function copyVendorFiles(): Promise<void> {
  for (const file of Object.values(VENDOR_FILES)) await copyVendorFile(file);
}

async function copyVendorFile(file: VendorFile): Promise<void> {
  const folder = join(ROOT, 'node_modules', file.packageName);
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  if (version !== file.version) {
    throw new Error(
      `${file.packageName}: ${version} is installed, workers/runtime/vendor.ts names ${file.version}. Make them one.`,
    );
  }
  const from = join(folder, file.path);
  const to = join(ROOT, 'public', vendorPath(file));
  const isThere = await stat(to).then(
    ({ size }) => size === file.bytes,
    () => false,
  );
  if (isThere) return;
  await mkdir(dirname(to), { recursive: true });
  // Whole or not there: a server may be handing it out.
  await copyFile(from, `${to}.part`);
  await rename(`${to}.part`, to);
}
