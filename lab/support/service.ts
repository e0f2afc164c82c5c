import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '../..');

export interface Account {
  readonly account_id: string;
  readonly api_key: string;
  readonly webhook_secret: string;
  readonly balance_usd: string;
}

interface ApiClientResponse {
  readonly status: number;
  readonly body: ReturnType<JSON['parse']>;
}

export interface ApiClient {
  readonly url: string;
  convert(body: object, headers?: Record<string, string>): Promise<ApiClientResponse>;
  /** Posts JSON to a path below /api. */
  post(path: string, body: object, headers?: Record<string, string>): Promise<ApiClientResponse>;
  get(path: string, headers?: Record<string, string>): Promise<ApiClientResponse>;
  /**
   * Polls until the job has ended.
   * @throws after `timeoutMs`
   */
  ended(requestId: string, options?: Polling): Promise<ReturnType<JSON['parse']>>;
}

export interface Polling {
  /** Time before the first look. Defaults to none. */
  readonly afterMs?: number;
  /** Pause between looks. */
  readonly everyMs?: number;
  /** Asks the service to hold each look until the job has ended, at most so long. */
  readonly waitSeconds?: number;
  readonly timeoutMs?: number;
}

/** Creates a client of the HTTP interface at `url`. */
export function createApiClient(url: string, apiKey: string): ApiClient {
  const headers = { 'content-type': 'application/json', 'ocp-apim-subscription-key': apiKey };
  const read = async (response: Response) => ({
    status: response.status,
    body: JSON.parse(await response.text()),
  });
  const client: ApiClient = {
    url,
    convert: (body, extra) => client.post('/media-tools/v1/image-convert', body, extra),
    post: async (path, body, extra) =>
      read(
        await fetch(`${url}/api${path}`, {
          method: 'POST',
          headers: { ...headers, ...extra },
          body: JSON.stringify(body),
        }),
      ),
    get: async (path, extra) => read(await fetch(url + path, { headers: { ...headers, ...extra } })),
    async ended(requestId, { afterMs = 0, everyMs = 50, waitSeconds, timeoutMs = 60_000 } = {}) {
      const prefer: Record<string, string> = waitSeconds ? { prefer: `wait=${waitSeconds}` } : {};
      if (afterMs > 0) await setTimeout(afterMs);
      for (const endMs = Date.now() + timeoutMs; Date.now() < endMs; ) {
        // The server may be restarting: retry.
        const response = await client.get(`/api/v2/requests/status/${requestId}`, prefer).catch(() => null);
        if (response && ['COMPLETED', 'FAILED', 'ERROR'].includes(response.body.status)) return response.body;
        await setTimeout(everyMs);
      }
      throw new Error(`${requestId} has not ended after ${timeoutMs} ms`);
    },
  };
  return client;
}

export interface Service {
  readonly url: string;
  readonly env: NodeJS.ProcessEnv;
  readonly process: ChildProcess;
  /** Output so far. */
  output(): string;
  /** @param password lets the account's owner sign in */
  account(email: string, creditUsd: string, password?: string): Promise<Account>;
  /**
   * Sends SIGTERM.
   * @returns the exit code
   */
  stop(): Promise<number | null>;
}

/** Runs a script of the product as its own process, as `npm start` and its like do. */
export function spawnPart(
  script: string,
  env: NodeJS.ProcessEnv,
): { process: ChildProcess; output(): string } {
  const compiler = script.endsWith('.ts') ? ['--import', 'tsx'] : [];
  const child = spawn(process.execPath, [...compiler, join(ROOT, script)], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk;
    });
  }
  return { process: child, output: () => text };
}

/**
 * Ends a process by SIGTERM.
 * @returns its exit code
 */
export async function stopPart(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }
  return child.exitCode;
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/**
 * Waits until `/api/health` responds 200.
 * @throws with the output so far when the process ends before
 */
export async function waitUntilHealthy(
  url: string,
  child: ChildProcess,
  output: () => string,
): Promise<void> {
  for (const endMs = Date.now() + 240_000; Date.now() < endMs; ) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    const response = await fetch(`${url}/api/health`).catch(() => null);
    if (response?.status === 200) return;
    await setTimeout(200);
  }
  throw new Error(`${url} did not become healthy:\n${output().slice(-4000)}`);
}

/** Reads the id of the embedded PostgreSQL, which is no child of the service. */
export async function readPostgresPid(dataDir: string): Promise<number> {
  const [pid] = (await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n');
  return Number(pid);
}

/** Opens an account with credit and a key, by `npm run --silent account`. */
export async function openTestAccount(
  env: NodeJS.ProcessEnv,
  email: string,
  creditUsd: string,
  password?: string,
): Promise<Account> {
  const run = promisify(execFile);
  const script = join(ROOT, 'scripts/account.ts');
  const args = ['--import', 'tsx', script, '--email', email, '--credit-usd', creditUsd];
  if (password !== undefined) args.push('--password', password);
  const { stdout } = await run(process.execPath, args, { cwd: ROOT, env });
  return JSON.parse(stdout);
}

/** Starts `npm start` with its own data folder, which `stop` deletes. */
export async function startService(environment: Record<string, string> = {}): Promise<Service> {
  const dataDir = await mkdtemp(join(tmpdir(), 'darkroom-service-'));
  const port = await findFreePort();
  const env = {
    ...process.env,
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: dataDir,
    // Measuring engines takes a minute of the processor.
    ACCEPTANCE_DELAY_SECONDS: '86400',
    FETCH_ALLOW_NETWORKS: '127.0.0.0/8',
    DATABASE_URL: '',
    ...environment,
  };
  const { process: child, output } = spawnPart('server/start.mjs', env);
  const url = `http://127.0.0.1:${port}`;
  await waitUntilHealthy(url, child, output);
  return {
    url,
    env,
    process: child,
    output,
    account: (...order) => openTestAccount(env, ...order),
    async stop() {
      const code = await stopPart(child);
      await rm(dataDir, { recursive: true, force: true });
      return code;
    },
  };
}
