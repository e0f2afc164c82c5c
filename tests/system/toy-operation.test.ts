// @module-tag long

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../../lab/support/chromium.ts';
import { type FileServer, serveFiles } from '../../lab/support/file-server.ts';
import { createApiClient, type Service } from '../../lab/support/service.ts';
import {
  copyWithToyOperation,
  listEdits,
  runIn,
  TOY,
  TOY_BYTES_PER_PIXEL,
} from '../support/operations/toy-operation.ts';

const BUILD_TIMEOUT_MS = 900_000;
const COLOUR = { r: 200, g: 100, b: 30 };
const INVERTED = [55, 155, 225];
const RED_INVERTED = [55, 100, 30];

let copy: string;
let edits: readonly string[];
let service: Service;
let files: FileServer;
let browser: Browser;
let image: Buffer;

beforeAll(async () => {
  copy = await copyWithToyOperation();
  await runIn(copy, 'npm', 'run', 'generate');
  edits = await listEdits(copy);
  await runIn(copy, 'npm', 'run', 'build', '--', '--without-types', '--without-cache');
  // The first two contain the models: one without Node's types, the other without the browser's. The build has written
  // types of the pages, which the last one checks.
  const programs = ['workers', 'server', 'clients/typescript', 'clients/examples', '.'];
  await runIn(copy, 'node', 'node_modules/@typescript/native/bin/tsc', '--build', ...programs);
  const { startService }: typeof import('../../lab/support/service.ts') = await import(
    join(copy, 'lab/support/service.ts')
  );
  service = await startService();
  image = await sharp({ create: { width: 12, height: 8, channels: 3, background: COLOUR } })
    .png()
    .toBuffer();
  files = await serveFiles({ '/photo.png': image });
  browser = await launchChromium();
}, BUILD_TIMEOUT_MS);

afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await files?.close();
  await rm(copy, { recursive: true, force: true });
}, 60_000);

/** Returns the colour of the first pixel. */
async function getColour(bytes: Uint8Array): Promise<number[]> {
  const { data } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return [...data.subarray(0, 3)];
}

it('a check of types leaves the build newer than every source, so that the service does not build again', () => {
  expect(service.output()).not.toContain('is built first');
});

it('a new operation edits exactly the files that the documentation lists for it', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/development.md'), 'utf8');
  const [, section = ''] = /^## Adding an operation\n(.*?)^## /ms.exec(page) ?? [];
  const [steps = ''] = section.split('\nOnly where');
  const listed = [...steps.matchAll(/^ +- `([^`]+)`(?!.*which git ignores)/gm)].map(([, path = '']) =>
    path.replaceAll('<tool>', TOY.slug),
  );
  expect([...edits].toSorted()).toEqual(listed.toSorted());
});

it('the API runs a new operation for its own price', async () => {
  const account = await service.account('toy@example.com', '1');
  const response = await fetch(`${service.url}/api${TOY.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ image_url: `${files.url}/photo.png`, channels: 'red' }),
  });
  expect(response.status).toBe(202);
  const { request_id } = JSON.parse(await response.text());
  expect(request_id).toMatch(new RegExp(`^${TOY.id}_`));

  const job = await createApiClient(service.url, account.api_key).ended(request_id);
  expect(job).toMatchObject({ status: 'COMPLETED', engine: 'toy', output: { media_type: 'image/png' } });
  const result = await fetch(job.output.media_url[0]);
  expect(await getColour(new Uint8Array(await result.arrayBuffer()))).toEqual(RED_INVERTED);
  expect(JSON.stringify(job)).toContain('0.003');
});

it('the OpenAPI document describes the new operation', async () => {
  const response = await fetch(`${service.url}/api/openapi.json`);
  const { paths } = JSON.parse(await response.text());
  expect(Object.keys(paths)).toContainEqual(expect.stringContaining(TOY.path));
});

it('the studio says where a file fits by the needs that the new operation names, before it runs', async () => {
  const page = await browser.newPage({ baseURL: service.url });
  await page.goto(`/${TOY.slug}`, { waitUntil: 'networkidle' });
  const picker = page.locator('input[type=file]').first();
  await picker.setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: image });
  await page.getByText('Free. Nothing leaves this device.').waitFor();
  const large = { width: 200, height: 100, channels: 3, background: COLOUR } as const;
  const buffer = await sharp({ create: large }).png().toBuffer();
  await picker.setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer });
  const needed = (large.width * large.height * TOY_BYTES_PER_PIXEL) / 1e9;
  await page
    .getByText(`can't run on this device. This file needs about ${needed.toFixed(1)} GB of memory`)
    .waitFor();
  // Only the file that fits is left to this device.
  await page.getByRole('button', { name: 'Invert 1 image' }).waitFor();
  await page.close();
});

it('the studio runs the new operation, and the home page and the settings name it', async () => {
  const page = await browser.newPage({ baseURL: service.url });
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto('/settings', { waitUntil: 'networkidle' });
  await page.getByRole('main').getByText(TOY.title).first().waitFor();
  await page.goto('/', { waitUntil: 'networkidle' });
  await page.getByRole('link', { name: TOY.title }).first().click();
  await page.waitForURL(`**/${TOY.slug}`);

  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: image });
  await page.getByRole('button', { name: /^Invert 1/ }).click();
  const download = page.getByRole('button', { name: 'Download', exact: true });
  const [file] = await Promise.all([page.waitForEvent('download'), download.click()]);
  const bytes: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) bytes.push(chunk);
  expect(await getColour(Buffer.concat(bytes))).toEqual(INVERTED);
  expect(errors).toEqual([]);
});
