import { fileURLToPath } from 'node:url';
import { messageOf } from '../models/errors.ts';
import { buildWhenNeeded } from './build.ts';
import { readEnv } from './env.ts';
import { keepPostgres } from './keep-postgres.ts';
import { createLogger } from './log.ts';
import { migrate } from './migrate.ts';
import { onStop } from './process-life.ts';
import { supervise } from './supervisor.ts';

/** `npm start`: the embedded database unless DATABASE_URL names one, migrations, web and runner; one tree of processes. */
const GRACE_MS = { web: 20_000, runner: 30_000 };

const part = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

async function main(): Promise<void> {
  const env = readEnv();
  const log = createLogger(env.LOG_LEVEL, 'main');
  await buildWhenNeeded(part('..'));
  const postgres = env.DATABASE_URL ? undefined : await keepPostgres({ dataDir: env.DATA_DIR, log });
  const databaseUrl = env.DATABASE_URL ?? postgres?.url ?? '';
  await migrate(databaseUrl);

  const childEnv = { ...process.env, NODE_ENV: 'production', DATABASE_URL: databaseUrl };
  const web = supervise('web', part('./web.ts'), childEnv, log);
  const runner = supervise('runner', part('./runner/main.ts'), childEnv, log);
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
