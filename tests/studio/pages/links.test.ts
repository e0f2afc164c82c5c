// @module-tag long
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FileServer, serveFiles } from '../../../lab/support/file-server.ts';
import { type Service, startService } from '../../../lab/support/service.ts';
import { createTestPicture } from '../support/pictures.ts';
import { connectBrowser } from '../support/visit.ts';

const visit = connectBrowser();

let service: Service;
let elsewhere: FileServer;
beforeAll(async () => {
  elsewhere = await serveFiles({
    '/album/holiday.jpg': (await createTestPicture()).buffer,
    '/7?size=large': (await createTestPicture()).buffer,
    '/page.html': Buffer.from('<!doctype html><title>No picture</title>'),
  });
  service = await startService();
}, 300_000);
afterAll(async () => {
  await service?.stop();
  await elsewhere?.close();
});

test('a link dropped on the home page is fetched by our server alone, and processed on the device', async () => {
  const { page, requests, complaints } = await visit('/', { baseURL: service.url });
  await give(page, 'drop', 'text/uri-list', `# an album\r\n${elsewhere.url}/album/holiday.jpg\r\n`);
  await page.getByRole('heading', { name: '1 image. What would you like to do?' }).waitFor();
  await page.getByRole('button', { name: /^Convert/ }).click();
  await page.getByRole('button', { name: 'Convert 1 image' }).click();
  await page.getByRole('button', { name: 'Download the result of holiday.jpg' }).waitFor();
  await page.locator('summary', { hasText: /^$/ }).last().click();
  await page.getByText('original fetched through our server').waitFor();

  expect(requests.filter(({ url }) => !url.startsWith(service.url) && !url.startsWith('blob:'))).toEqual([]);
  expect(requests.filter(({ method }) => method !== 'GET')).toMatchObject([
    { method: 'POST', url: `${service.url}/api/fetch/token` },
    { method: 'POST', url: `${service.url}/api/fetch` },
  ]);
  // The URL may be a secret: no log contains it.
  expect(service.output()).not.toContain('holiday.jpg');
  expect(complaints).toEqual([]);
});

test('a pasted link gives the file its name', async () => {
  const { page } = await visit('/convert', { baseURL: service.url });
  await give(page, 'paste', 'text/plain', `${elsewhere.url}/7?size=large`);
  await page.getByRole('button', { name: 'Show 7.jpeg' }).waitFor();
});

test('pasted text that is not a link is ignored', async () => {
  const { page, requests } = await visit('/convert', { baseURL: service.url });
  await give(page, 'paste', 'text/plain', `see ${elsewhere.url}/7?size=large`);
  expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('a link pasted into a text area is text', async () => {
  const { page, requests } = await visit('/extend', { baseURL: service.url });
  await give(page, 'paste', 'text/plain', `${elsewhere.url}/album/holiday.jpg`, 'textarea');
  await give(page, 'paste', 'text/plain', `${elsewhere.url}/7?size=large`);
  await page.getByRole('button', { name: 'Show 7.jpeg' }).waitFor();
  expect(requests.filter(({ url }) => url === `${service.url}/api/fetch`)).toHaveLength(1);
});

test('a pasted link without media gets the reason, and the next one works', async () => {
  const { page } = await visit('/convert', { baseURL: service.url });
  await give(page, 'paste', 'text/plain', `${elsewhere.url}/page.html`);
  await page
    .getByText(
      `${elsewhere.url}/page.html: Our server found no image, video or sound there that it could fetch.`,
    )
    .waitFor();
  await give(page, 'paste', 'text/plain', `${elsewhere.url}/album/holiday.jpg`);
  await page.getByRole('button', { name: 'Show holiday.jpg' }).waitFor();
});

test('an element dragged within the page is not added as a file', async () => {
  const { page, requests } = await visit('/convert', { baseURL: service.url });
  await page.evaluate(() => document.body.dispatchEvent(new DragEvent('dragstart', { bubbles: true })));
  await give(page, 'drop', 'text/uri-list', `${service.url}/samples/kitten.jpg`);
  expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('a client with forged X-Forwarded-For addresses has one rate limit', async () => {
  const statuses = await Promise.all(
    Array.from({ length: 40 }, async (_, number) => {
      const response = await fetch(`${service.url}/api/fetch`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'sec-fetch-site': 'same-origin',
          'x-forwarded-for': `198.51.100.${number}`,
          'x-client-address': `198.51.100.${number}`,
        },
        body: JSON.stringify({ url: `${elsewhere.url}/page.html` }),
      });
      return response.status;
    }),
  );
  expect(statuses).toContain(429);
});

/** Drops or pastes as the browser does. */
async function give(
  page: Page,
  by: 'drop' | 'paste',
  type: string,
  text: string,
  onto = 'body',
): Promise<void> {
  await page.evaluate(
    (given) => {
      const transfer = new DataTransfer();
      transfer.setData(given.type, given.text);
      const options = { bubbles: true, cancelable: true };
      const events =
        given.by === 'paste'
          ? [new ClipboardEvent('paste', { ...options, clipboardData: transfer })]
          : ['dragenter', 'dragover', 'drop'].map(
              (kind) => new DragEvent(kind, { ...options, dataTransfer: transfer }),
            );
      for (const event of events) document.querySelector(given.onto)?.dispatchEvent(event);
    },
    { by, type, text, onto },
  );
}
