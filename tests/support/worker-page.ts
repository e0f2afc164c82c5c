import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright';
import { WORKER_POLICY } from '../../app/content-security-policy.ts';
import type { OperationId } from '../../models/registry.ts';
import type { PageOutcome } from '../workers/page/outcome.ts';
import { launchChromium } from './chromium.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const ISOLATION = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
};

/** What the studio's workers live under, here for the page as well. */
const policy = (connect: readonly string[]) =>
  WORKER_POLICY.replace('connect-src', ['connect-src', ...connect].join(' '));

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  wasm: 'application/wasm',
};

/** The page, what it is measured against, the worker, one that shows its parts, and one that times them. */
const ENTRIES = [
  'tests/workers/page/main.ts',
  'tests/workers/page/bare.ts',
  'tests/workers/page/parts.worker.ts',
  'tests/workers/page/removal.worker.ts',
  'tests/workers/page/video.ts',
  'workers/capabilities.worker.ts',
  'workers/operation.worker.ts',
];
const PAGE = '<!doctype html><title>Bridge</title><script type="module" src="/main.js"></script>';
const WORKER_PATH = '/operation.worker.js';

export interface WorkerPageOptions {
  /** With the headers that threads need; true unless said otherwise. */
  readonly isolated?: boolean;
  /** Script in place of the real worker. */
  readonly worker?: string;
  /** Origins that the page may talk to besides its own. */
  readonly connect?: readonly string[];
  /** For the browser, besides the usual ones. */
  readonly flags?: readonly string[];
}

export type PageRun = PageOutcome & { readonly bytes: Uint8Array<ArrayBuffer> };

export interface WorkerPage {
  readonly page: Page;
  readonly origin: string;
  /** What the page and its workers asked for, of whatever host, in order. */
  readonly requests: readonly { readonly method: string; readonly url: string }[];
  /** Runs an operation on a file in the page, through the bridge. */
  operate(operationId: OperationId, input: Blob, params: object): Promise<PageRun>;
  convert(input: Blob, params: object): Promise<PageRun>;
  /** Makes a file that the page can fetch. @returns its path */
  put(input: Blob): Promise<string>;
  stop(): Promise<void>;
}

/** A page in a real Chromium that holds nothing but the bridge, served from loopback as the studio serves its own. */
export async function openWorkerPage(options: WorkerPageOptions = {}): Promise<WorkerPage> {
  const files = await bundle();
  files.set('/index.html', Buffer.from(PAGE));
  if (options.worker !== undefined) files.set(WORKER_PATH, Buffer.from(options.worker));
  const requests: { method: string; url: string }[] = [];
  const headers = {
    'content-security-policy': policy(options.connect ?? []),
    ...(options.isolated === false ? {} : ISOLATION),
  };
  const server = createServer((request, response) => {
    void serve(request, response, files, headers);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser: Browser = await launchChromium({ args: [...(options.flags ?? [])] });
  const page = await (await browser.newContext()).newPage();
  page.context().on('request', (request) => {
    requests.push({ method: request.method(), url: request.url() });
  });
  await page.goto(`${origin}/index.html`);
  await page.waitForFunction('globalThis.convert !== undefined');
  const put = async (input: Blob): Promise<string> => {
    const path = `/input-${files.size}`;
    files.set(path, new Uint8Array(await input.arrayBuffer()));
    return path;
  };
  const operate: WorkerPage['operate'] = async (operationId, input, params) => {
    const given = [operationId, await put(input), params].map((value) => JSON.stringify(value));
    const outcome = await page.evaluate<PageOutcome>(`operate(${given.join(', ')})`);
    return { ...outcome, bytes: new Uint8Array(Buffer.from(outcome.ok ? outcome.base64 : '', 'base64')) };
  };
  return {
    page,
    origin,
    requests,
    put,
    operate,
    convert: (input, params) => operate('media-convert-image', input, params),
    async stop() {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Files = Map<string, Uint8Array>;

async function bundle(): Promise<Files> {
  const { outputFiles } = await build({
    entryPoints: ENTRIES.map((path) => join(ROOT, path)),
    entryNames: '[name]',
    bundle: true,
    format: 'esm',
    splitting: true,
    write: false,
    outdir: '/',
    logLevel: 'error',
  });
  return new Map(outputFiles.map((file) => [file.path, file.contents]));
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  files: Files,
  headers: Record<string, string>,
): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  // The bridge asks for the worker by the name of its source.
  const path = pathname.replace(/\.ts$/, '.js');
  const body = files.get(path) ?? (await readAsset(path));
  const type = MEDIA_TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  response.writeHead(body ? 200 : 404, { ...headers, 'content-type': type }).end(body ?? '');
}

/** Assets of packages, and weights; a bundler for production would have copied them. */
async function readAsset(path: string): Promise<Uint8Array | null> {
  return /^\/(node_modules|models\/weights)\//.test(path)
    ? readFile(join(ROOT, path)).catch(() => null)
    : null;
}
