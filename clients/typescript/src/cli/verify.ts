import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { findReceiptFile, ReceiptError, type ReceiptKeys, verifyReceipt } from '../verify-receipt.ts';
import { EXIT, type ExitCode, UsageError } from './exit-codes.ts';
import { isUrl } from './output-paths.ts';
import type { Terminal } from './terminal.ts';

/**
 * Checks that a receipt is signed by one of some keys, and names a file. Needs neither an account nor, with a file of
 * keys, the network.
 * @throws ReceiptError, UsageError, and the system's error for what cannot be read
 */
export async function verify({ cwd, out, signal }: Terminal, args: readonly string[]): Promise<ExitCode> {
  const { receipt: source, file: path, keys: keySource, json } = readVerify(args);
  const receipt = await verifyReceipt(await readReceipt(cwd, source), await readKeys(cwd, keySource, signal));
  const sha256 = await hashFile(resolve(cwd, path));
  const { role, file } = findReceiptFile(receipt, sha256);
  if (json) out(`${JSON.stringify({ file: path, role, name: file.name, receipt })}\n`);
  else {
    const place = receipt.run_on === 'own' ? ', run on a machine of its account' : '';
    const name = file.name === role ? role : `${role} ${file.name}`;
    out(`${path} is the ${name} of ${receipt.request_id}, ${receipt.completed_at}${place}.\n`);
  }
  return EXIT.done;
}

/** Returns a receipt that is given as such, as a file, or as a file with its job. */
async function readReceipt(cwd: string, source: string): Promise<string> {
  const text = await readFile(resolve(cwd, source), 'utf8').catch((thrown) => {
    // A receipt looks like no path that anybody has.
    if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(source)) return source;
    throw thrown;
  });
  if (!text.trimStart().startsWith('{')) return text;
  const { receipt } = parseJson(source, text) as { receipt?: unknown };
  if (typeof receipt !== 'string') throw new ReceiptError(`${source}: the job has no receipt.`);
  return receipt;
}

async function readKeys(cwd: string, source: string, signal: AbortSignal): Promise<ReceiptKeys> {
  const text = isUrl(source) ? await fetchText(source, signal) : await readFile(resolve(cwd, source), 'utf8');
  const { keys } = parseJson(source, text) as { keys?: unknown };
  if (!Array.isArray(keys)) throw new ReceiptError(`${source}: is no JSON Web Key Set.`);
  return { keys: keys.filter((key) => typeof key === 'object' && key !== null) };
}

async function fetchText(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new ReceiptError(`${url}: responded with status ${response.status}.`);
  return await response.text();
}

function parseJson(source: string, text: string): object {
  try {
    return Object(JSON.parse(text));
  } catch {
    throw new ReceiptError(`${source}: is no JSON.`);
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

function readVerify(args: readonly string[]) {
  const options = { keys: { type: 'string' }, json: { type: 'boolean', default: false } } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [receipt, file, ...more] = positionals;
    if (receipt === undefined || file === undefined || more.length > 0) {
      throw new Error('Name one receipt and one file.');
    }
    if (values.keys === undefined) throw new Error('--keys: required.');
    return { receipt, file, keys: values.keys, json: values.json };
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    throw new UsageError(`${message} Usage: darkroom verify RECEIPT FILE --keys JWKS [--json]`);
  }
}
