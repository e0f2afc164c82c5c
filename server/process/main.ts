import { messageOf } from '../../models/operation/errors.ts';
import { readEnv } from '../base/env.ts';
import { createLogger } from '../base/log.ts';
import { compiledPart, ROOT } from '../children/compiled-parts.ts';
import { secureDataDir } from '../embedded/index.ts';
import { keepPostgres } from './keep-postgres.ts';
import { onStop } from './lifecycle.ts';
import { readLocalSecretsKey } from './local-secrets-key.ts';
import { supervise } from './supervisor.ts';

/**
 * `npm start`: the embedded database unless DATABASE_URL names one, web and runner; one tree of processes. Loads as
 * little as it can: it only watches.
 */
const GRACE_MS = { web: 20_000, runner: 30_000 };

async function main(): Promise<void> {
  const env = readEnv();
  const log = createLogger(env.LOG_LEVEL, 'main');
  await secureDataDir(env.DATA_DIR, log);
  const postgres = env.DATABASE_URL ? undefined : await keepPostgres({ dataDir: env.DATA_DIR, log });
  const databaseUrl = env.DATABASE_URL ?? postgres?.url ?? '';
  const childEnv = {
    ...process.env,
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    EMBEDDED_DATABASE: postgres ? '1' : '0',
    ...(postgres && env.SECRETS_KEY.length === 0 && { SECRETS_KEY: await readLocalSecretsKey(env.DATA_DIR) }),
  };
  const web = supervise('web', compiledPart(ROOT, 'web'), childEnv, log);
  const runner = supervise('runner', compiledPart(ROOT, 'runner'), childEnv, log);
  onStop(async () => {
    log.info('stopping');
    await Promise.all([web.stop(GRACE_MS.web), runner.stop(GRACE_MS.runner)]);
    await postgres?.stop();
  });
  await Promise.all([web.ready, runner.ready]);
  log.info(`Darkroom is ready at ${env.PUBLIC_URL}`);
}

await main().catch((thrown: unknown) => {
  process.stderr.write(`${messageOf(thrown)}\n`);
  process.exit(1);
});
