import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, BrowserContext, Page } from 'playwright';
import { WORKER_POLICY } from '../../app/security/content-security-policy.ts';
import type { DeviceSettings } from '../../models/media/image/device-settings.ts';
import type { OperationId } from '../../models/registry.ts';
import { bundleHelper } from '../../server/ops/build/bundle-helper.ts';
import { writeBundledGraphs } from '../../server/ops/build/graphs/write-bundled-graphs.ts';
import { writeVipsGlue } from '../../server/ops/build/patch-vips.ts';
import { launchChromium } from './chromium.ts';
import type { PageOutcome } from './page/outcome.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const ISOLATION = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
};

/** Policy of the studio's workers, here for the page as well. */
const policy = (connect: readonly string[]) =>
  WORKER_POLICY.replace('connect-src', ['connect-src', ...connect].join(' '));

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  wasm: 'application/wasm',
};

/** Entry points: the page, its reference, the worker, and workers that expose or time its parts. */
const ENTRIES = [
  'lab/support/page/audio.ts',
  'lab/support/page/main.ts',
  'lab/support/page/bare.ts',
  'lab/support/page/encoders.worker.ts',
  'lab/support/page/parts.worker.ts',
  'lab/support/page/timed-run.worker.ts',
  'lab/support/page/video.ts',
  'workers/device/capabilities.worker.ts',
  'workers/one-shot/one-shot.worker.ts',
  'workers/operation/operation.worker.ts',
];
const PAGE = '<!doctype html><title>Bridge</title><script type="module" src="/main.js"></script>';
const WORKER_PATH = '/operation.worker.js';
const HELPER_PATH = '/workers/vendor/convolution-helper.js';

export interface WorkerPageOptions {
  /** Whether to send the headers that threads need; true by default. */
  readonly isolated?: boolean;
  /** Script in place of the real worker. */
  readonly worker?: string;
  /** Script in place of the helpers of our convolutions. */
  readonly helper?: string;
  /** Origins that the page may contact besides its own. */
  readonly connect?: readonly string[];
  /** Additional flags of the page's own browser. */
  readonly flags?: readonly string[];
  /** Browser for the page, which closes it; by default its own. */
  readonly browser?: Browser;
  /** Profile for the page, which closes it, in place of a new visitor in `browser`. */
  readonly profile?: BrowserContext;
}

export type PageRun = PageOutcome & { readonly bytes: Uint8Array<ArrayBuffer> };

export interface WorkerPage {
  readonly page: Page;
  readonly origin: string;
  /** Requests of the page and its workers, to any host, in order. */
  readonly requests: readonly { readonly method: string; readonly url: string }[];
  /** Runs an operation on a file in the page, through the bridge. */
  operate(operationId: OperationId, input: Blob, params: object, settings?: DeviceSettings): Promise<PageRun>;
  convert(input: Blob, params: object, settings?: DeviceSettings): Promise<PageRun>;
  /**
   * Makes a file available to the page.
   * @returns its path
   */
  put(input: Blob): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Opens a page in a real Chromium that contains only the bridge, served from loopback as the studio serves its own.
 */
export async function openWorkerPage(options: WorkerPageOptions = {}): Promise<WorkerPage> {
  bundled ??= bundle();
  const files: Files = new Map(await bundled);
  files.set('/index.html', Buffer.from(PAGE));
  if (options.worker !== undefined) files.set(WORKER_PATH, Buffer.from(options.worker));
  if (options.helper !== undefined) files.set(HELPER_PATH, Buffer.from(options.helper));
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
  const context = options.profile ?? (await newVisitor(options));
  const page = await context.newPage();
  context.on('request', (request) => {
    requests.push({ method: request.method(), url: request.url() });
  });
  await page.goto(`${origin}/index.html`);
  await page.waitForFunction('globalThis.convert !== undefined');
  const put = async (input: Blob): Promise<string> => {
    const path = `/input-${files.size}`;
    files.set(path, new Uint8Array(await input.arrayBuffer()));
    return path;
  };
  const operate: WorkerPage['operate'] = async (operationId, input, params, settings = {}) => {
    const given = [operationId, await put(input), params, { settings }].map((value) => JSON.stringify(value));
    const outcome = await page.evaluate<PageOutcome>(`operate(${given.join(', ')})`);
    return { ...outcome, bytes: new Uint8Array(Buffer.from(outcome.ok ? outcome.base64 : '', 'base64')) };
  };
  return {
    page,
    origin,
    requests,
    put,
    operate,
    convert: (input, params, settings) => operate('media-convert-image', input, params, settings),
    async stop() {
      await (context.browser() ?? context).close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function newVisitor({ browser, flags = [] }: WorkerPageOptions): Promise<BrowserContext> {
  return (browser ?? (await launchChromium({ args: [...flags] }))).newContext();
}

type Files = Map<string, Uint8Array>;

/** All pages of a process are served the same scripts. */
let bundled: Promise<Files> | undefined;

async function bundle(): Promise<Files> {
  await writeBundledGraphs(ROOT);
  writeVipsGlue(ROOT);
  bundleHelper(ROOT);
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
  // The bridge requests the worker by its source name.
  const path = pathname.replace(/\.ts$/, '.js');
  const body = files.get(path) ?? (await readAsset(path));
  const type = MEDIA_TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  const kept = ASSET.test(path) ? { 'cache-control': 'public, max-age=31536000, immutable' } : {};
  response.writeHead(body ? 200 : 404, { ...headers, ...kept, 'content-type': type }).end(body ?? '');
}

/** Matches assets of packages, kernels, and weights: a production bundler would have copied them. */
const ASSET = /^\/(node_modules|models\/weights|workers\/(vendor|runtime))\//;

async function readAsset(path: string): Promise<Uint8Array | null> {
  const inTree = path.replace(/^\/vendor\/ffmpeg\//, '/node_modules/@ffmpeg/ffmpeg/dist/esm/');
  return ASSET.test(inTree) ? readFile(join(ROOT, inTree)).catch(() => null) : null;
}
