import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { trimOrigin } from '../transport.ts';
import { KeyError, UsageError } from './exit-codes.ts';

const LOCAL_ORIGIN = 'http://localhost:3000';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Service and key of all requests. */
export interface Settings {
  readonly origin: string;
  readonly apiKey: string;
}

/** Returns the path of the file with the saved key. */
function settingsPath(env: Environment): string {
  const folder = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config');
  return join(folder, 'darkroom', 'config.json');
}

/**
 * Returns the service and its key: from the environment, or else as saved. A saved key is sent only to the service
 * that it was saved for.
 * @throws KeyError when there is none, or others can read the file
 */
export async function readSettings(env: Environment): Promise<Settings> {
  const saved = await readSaved(env);
  const origin = getOrigin(env.DARKROOM_URL || saved?.origin || LOCAL_ORIGIN);
  const apiKey = env.DARKROOM_KEY || (saved?.origin === origin ? saved.apiKey : undefined);
  if (apiKey) return { origin, apiKey };
  throw new KeyError(`There is no API key for ${origin}. Set DARKROOM_KEY, or run "darkroom login".`);
}

/** Returns the address of the service that a login is for. */
export function loginOrigin(env: Environment): string {
  return getOrigin(env.DARKROOM_URL || LOCAL_ORIGIN);
}

/** Saves a key for its owner's eyes only. @returns the path of the file */
export async function saveSettings(env: Environment, settings: Settings): Promise<string> {
  const path = settingsPath(env);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const part = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(part, `${JSON.stringify(settings)}\n`, { mode: 0o600, flag: 'wx' });
  await rename(part, path);
  return path;
}

/** Deletes the saved key. @returns whether there was one */
export async function deleteSettings(env: Environment): Promise<boolean> {
  const path = settingsPath(env);
  const hadOne = (await readFile(path).catch(() => null)) !== null;
  await rm(path, { force: true });
  return hadOne;
}

async function readSaved(env: Environment): Promise<Settings | undefined> {
  const path = settingsPath(env);
  const info = await stat(path).catch(() => null);
  if (!info) return undefined;
  if (process.platform !== 'win32' && (info.mode & 0o077) !== 0) {
    throw new KeyError(`${path}: others can read this key. Run "chmod 600 ${path}".`);
  }
  const { origin, apiKey } = parseSaved(await readFile(path, 'utf8'));
  if (typeof origin === 'string' && typeof apiKey === 'string') return { origin, apiKey };
  throw new KeyError(`${path}: is damaged. Run "darkroom login" again.`);
}

function parseSaved(text: string): Partial<Record<keyof Settings, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function getOrigin(address: string): string {
  const origin = trimOrigin(address);
  if (/^https?:\/\/[^\s/]+$/.test(origin)) return origin;
  throw new UsageError(`DARKROOM_URL: "${address}" is not an address such as https://darkroom.example.com.`);
}

/** Returns the version of the package. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return String(version);
}
