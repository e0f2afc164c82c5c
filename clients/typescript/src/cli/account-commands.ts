import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createClient } from '../client.ts';
import { EXIT, type ExitCode, KeyError, UsageError } from './exit-codes.ts';
import { exists, listOutputPaths } from './output-paths.ts';
import { createReport } from './report.ts';
import { saveAll } from './run-files.ts';
import { createExistsError } from './save-file.ts';
import { createOutcome } from './service-target.ts';
import { deleteSettings, loginOrigin, readSettings, saveSettings } from './settings.ts';
import { createProgressLine, type Terminal } from './terminal.ts';

/** Asks for a key, tries it, and saves it. @throws AuthenticationError, KeyError */
export async function login({ env, askSecret, signal, out }: Terminal): Promise<ExitCode> {
  const origin = loginOrigin(env);
  const apiKey = (await askSecret(`API key for ${origin}: `)).trim();
  if (apiKey === '') throw new KeyError('No key was given.');
  const { available_usd } = await createClient({ origin, apiKey }).wallet(signal);
  const path = await saveSettings(env, { origin, apiKey });
  out(`Saved in ${path}. ${available_usd} USD are available.\n`);
  return EXIT.done;
}

/** Deletes the saved key. */
export async function logout({ env, out }: Terminal): Promise<ExitCode> {
  out((await deleteSettings(env)) ? 'The saved key is deleted.\n' : 'There was no saved key.\n');
  return EXIT.done;
}

/** Waits for an earlier request, and saves its results. @throws JobFailedError, NotFoundError, UsageError */
export async function get(terminal: Terminal, args: readonly string[]): Promise<ExitCode> {
  const { id, out, force, json } = readGet(args);
  const client = createClient(await readSettings(terminal.env));
  const progress = createProgressLine(terminal, 1);
  const { signal, cwd } = terminal;
  const job = await client.wait(id, {
    signal,
    onProgress: (state) => progress.update(id, state.progress),
  });
  const outcome = createOutcome(client, job, signal);
  const names = outcome.files.map(({ name }) => name);
  const paths = listOutputPaths({ folder: resolve(cwd, out ?? '.'), stem: id }, names);
  for (const path of force ? [] : paths) if (await exists(path)) throw createExistsError(path);
  await saveAll(outcome, paths, { force, signal });
  createReport(terminal, progress, { json, inputs: [id] }).completed(id, outcome, paths);
  return EXIT.done;
}

function readGet(args: readonly string[]) {
  const options = {
    out: { type: 'string', short: 'o' },
    force: { type: 'boolean', short: 'f', default: false },
    json: { type: 'boolean', default: false },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [id, ...more] = positionals;
    if (id === undefined || more.length > 0) throw new Error('Name one request.');
    return { id, ...values };
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    throw new UsageError(`${message} Usage: darkroom get [--out FOLDER] [--force] [--json] REQUEST_ID`);
  }
}
