import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * `npm start`: builds what is not built, and runs the compiled service. With BUILD_ON_START=never it runs the last build,
 * whatever has changed since. Plain JavaScript, since no compiler runs yet.
 */
const root = fileURLToPath(new URL('..', import.meta.url));

const SIGNALS = ['SIGINT', 'SIGTERM'];

// A separate process builds: it empties the folder of the compiled code, this code's as well.
if (process.env.BUILD_ON_START !== 'never' && !(await isBuilt())) {
  // On standard error, as whatever is no output of the service.
  process.stderr.write(
    'Darkroom is built first. On two cores this takes about two minutes, and only once.\n',
  );
  const args = ['--import', 'tsx', 'scripts/build.ts', '--without-types'];
  const building = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  const stop = (signal) => building.kill(signal);
  for (const signal of SIGNALS) process.on(signal, stop);
  const [status] = await once(building, 'exit');
  if (status !== 0) process.exit(status ?? 1);
  for (const signal of SIGNALS) process.off(signal, stop);
}
await import(partUrl('main'));

async function isBuilt() {
  if (!existsSync(new URL(partUrl('is-built')))) return false;
  const part = await import(partUrl('is-built'));
  return await part.isBuilt(root);
}

function partUrl(name) {
  return new URL(`../.next/parts/${name}.mjs`, import.meta.url).href;
}
