import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** `npm start`: builds what is not built, and runs the compiled service. Plain JavaScript, since no compiler runs yet. */
const root = fileURLToPath(new URL('..', import.meta.url));
const build = new URL('../.next/parts/build.mjs', import.meta.url);

if (existsSync(build)) {
  const { buildWhenNeeded } = await import(build.href);
  await buildWhenNeeded(root);
} else {
  const args = ['--import', 'tsx', 'scripts/build.ts'];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
await import(new URL('../.next/parts/main.mjs', import.meta.url).href);
