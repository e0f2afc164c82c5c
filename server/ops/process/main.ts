import { getMessage } from '../../../models/core/operation/errors.ts';
import { compiledPart, ROOT } from '../../base/children/compiled-parts.ts';
import { type Env, readEnv } from '../../base/env.ts';
import { createLogger } from '../../base/log.ts';
import { secureDataDir } from '../embedded/index.ts';
import { keepPostgres } from './keep-postgres.ts';
import type { LateSettings } from './lifecycle.ts';
import { onStop } from './lifecycle.ts';
import { readLocalSecretsKey } from './local-secrets-key.ts';
import { stopInOrder, supervise } from './supervisor.ts';
import { HEALTH_RULE } from './watch-health.ts';

/**
 * `npm start`: the embedded database unless DATABASE_URL names one, web and runner; one tree of processes. Loads as
 * little as it can: it only watches.
 */
const GRACE_MS = { web: 20_000, runner: 30_000 };

async function main(): Promise<void> {
  const env = readEnv();
  const log = createLogger(env.LOG_LEVEL, 'main');
  await secureDataDir(env.DATA_DIR, log);
  const starting = env.DATABASE_URL ? undefined : keepPostgres({ dataDir: env.DATA_DIR, log });
  const childEnv = { ...process.env, NODE_ENV: 'production', EMBEDDED_DATABASE: starting ? '1' : '0' };
  // The parts load their code while the database starts.
  const settings = starting?.then((postgres) => getSettings(env, postgres));
  const start = (name: 'web' | 'runner') =>
    supervise(name, compiledPart(ROOT, name), childEnv, log, HEALTH_RULE, settings);
  const [web, runner] = [start('web'), start('runner')];
  const stop = async () => {
    log.info('stopping');
    await stopInOrder([
      { part: web, graceMs: GRACE_MS.web },
      { part: runner, graceMs: GRACE_MS.runner },
    ]);
    await (await starting)?.stop();
  };
  onStop(stop);
  const serving = web.ready.then(() => log.info(`Darkroom responds at ${env.PUBLIC_URL}`));
  await settings;
  try {
    await Promise.all([serving, runner.ready]);
  } catch (refusal) {
    await stop();
    throw refusal;
  }
  log.info(`Darkroom is ready at ${env.PUBLIC_URL}`);
}

/** Returns what the parts must know of the embedded database. */
async function getSettings(env: Env, { url }: { readonly url: string }): Promise<LateSettings> {
  if (env.SECRETS_KEY.length > 0) return { DATABASE_URL: url };
  return { DATABASE_URL: url, SECRETS_KEY: await readLocalSecretsKey(env.DATA_DIR) };
}

await main().catch((thrown: unknown) => {
  process.stderr.write(`${getMessage(thrown)}\n`);
  process.exit(1);
});
