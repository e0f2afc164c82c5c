import type { Page } from 'playwright';
import sharp from 'sharp';
import { expect, inject, test } from 'vitest';
import { createTestPicture } from '../support/pictures.ts';
import { connectBrowser, type TestFile } from '../support/visit.ts';

const visit = connectBrowser();

interface Manifest {
  readonly start_url: string;
  readonly display: string;
  readonly icons: readonly { readonly src: string; readonly sizes: string }[];
  readonly file_handlers: readonly { readonly action: string; readonly accept: Record<string, string[]> }[];
  readonly share_target: {
    readonly action: string;
    readonly params: { readonly files: readonly { accept: string[] }[] };
  };
}

test('the studio can be installed: every page names a manifest, whose icons have the sizes that it says', async () => {
  const { page } = await visit('/convert');
  const href = await page.locator('link[rel=manifest]').getAttribute('href');
  const response = await fetch(new URL(href ?? '', inject('studioUrl')));
  expect(response.headers.get('content-type')).toBe('application/manifest+json');
  const manifest: Manifest = await response.json();
  expect([manifest.start_url, manifest.display]).toEqual(['/', 'standalone']);
  for (const { src, sizes } of manifest.icons) {
    const icon = await fetch(inject('studioUrl') + src);
    const { width, height, format } = await sharp(await icon.arrayBuffer()).metadata();
    expect([`${width}x${height}`, format]).toEqual([sizes, 'png']);
  }
  expect(manifest.file_handlers[0]?.accept['image/heic']).toContain('.heic');
  expect(manifest.share_target.params.files[0]?.accept).toContain('image/jpeg');
});

test('a file that the system opens with Darkroom is offered the tools that fit', {
  tags: ['long'],
}, async () => {
  const { buffer } = await createTestPicture();
  const prepare = (page: Page) =>
    page.addInitScript(
      (bytes) => {
        const opened = {
          getFile: async () => new File([Uint8Array.from(bytes)], 'opened.jpg', { type: 'image/jpeg' }),
        };
        Object.defineProperty(window, 'launchQueue', {
          value: { setConsumer: (consume: (launch: object) => void) => consume({ files: [opened] }) },
        });
      },
      [...buffer],
    );
  const { page } = await visit('/', { prepare });
  await page.getByRole('heading', { name: '1 image. What would you like to do?' }).waitFor();
});

test('Back forgets which files could not be read', { tags: ['long'] }, async () => {
  const { buffer } = await createTestPicture();
  const prepare = (page: Page) =>
    page.addInitScript(
      (bytes) => {
        const files = [
          { getFile: async () => new File([Uint8Array.from(bytes)], 'opened.jpg', { type: 'image/jpeg' }) },
          { name: 'gone.jpg', getFile: () => Promise.reject(new DOMException('', 'NotFoundError')) },
        ];
        Object.defineProperty(window, 'launchQueue', {
          value: { setConsumer: (consume: (launch: object) => void) => consume({ files }) },
        });
      },
      [...buffer],
    );
  const { page } = await visit('/', { prepare });
  const skipped = page.getByText('Skipped: gone.jpg could not be read.');
  await skipped.waitFor();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.getByRole('button', { name: 'Choose files' }).waitFor();
  expect(await skipped.count()).toBe(0);
});

test('photos that another app shares are offered the tools that fit, without a network, and once', {
  tags: ['long'],
}, async () => {
  const { page, requests } = await visit('/', { serviceWorkers: 'allow' });
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  // A service worker receives what its own pages send.
  await page.reload();
  await page.context().setOffline(true);
  await share(page, [await createTestPicture('one.jpg'), await createTestPicture('two.jpg')]);
  await page.getByRole('heading', { name: '2 images. What would you like to do?' }).waitFor();
  expect(new URL(page.url()).search).toBe('');
  await page.getByRole('button', { name: /^Convert/ }).click();
  await page.waitForURL((url) => url.pathname === '/convert');
  expect(await page.evaluate(() => caches.has('shared'))).toBe(false);
  expect(requests.filter(({ method, url }) => method === 'POST' && !url.endsWith('/share'))).toEqual([]);
});

test('a share of more files than can be held says so', { tags: ['long'] }, async () => {
  const { page } = await visit('/', { serviceWorkers: 'allow' });
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.reload();
  const one = { name: 'one.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('words') };
  await share(
    page,
    Array.from({ length: 101 }, () => one),
  );
  await page.getByRole('alert').getByText('At most 100 files and 500 MB can be shared at a time').waitFor();
});

test('links that another app shares wait for a click, and are bounded', { tags: ['long'] }, async () => {
  const { page, requests } = await visit('/', { serviceWorkers: 'allow' });
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.reload();
  const links = Array.from({ length: 60 }, (_, at) => `http://127.0.0.1:9/${at}.png`);
  await share(page, [], links.join('\n'));
  await page.getByText('Shared with Darkroom: 20 links to 127.0.0.1:9.').waitFor();
  await page.getByRole('alert').getByText('At most 20 links can be fetched at a time').waitFor();
  const fetches = () => requests.filter(({ url }) => url.includes('/api/fetch'));
  expect(fetches()).toEqual([]);
  await page.getByRole('button', { name: 'Discard' }).click();
  await share(page, [], links.slice(0, 2).join('\n'));
  await page.getByRole('button', { name: 'Fetch', exact: true }).click();
  await expect.poll(() => fetches().length).toBeGreaterThan(0);
});

test('a share that reaches the server is sent back unread', { tags: ['long'] }, async () => {
  const body = new FormData();
  body.set('files', new File(['words'], 'words.txt'));
  const response = await fetch(`${inject('studioUrl')}/share`, { method: 'POST', body, redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([303, '/?shared=failed']);
});

/** Posts files and a text to the share target, as a system does for an installed app. */
async function share(page: Page, files: readonly TestFile[], text = ''): Promise<void> {
  const shared = files.map(({ name, mimeType, buffer }) => ({
    name,
    mimeType,
    base64: buffer.toString('base64'),
  }));
  await Promise.all([
    page.waitForURL((url) => url.pathname === '/'),
    page.evaluate(
      ([given, words]) => {
        const transfer = new DataTransfer();
        for (const { name, mimeType, base64 } of given) {
          const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
          transfer.items.add(new File([bytes], name, { type: mimeType }));
        }
        const form = Object.assign(document.createElement('form'), {
          method: 'post',
          action: '/share',
          enctype: 'multipart/form-data',
        });
        const input = Object.assign(document.createElement('input'), {
          type: 'file',
          name: 'files',
          multiple: true,
        });
        input.files = transfer.files;
        const area = Object.assign(document.createElement('textarea'), { name: 'text', value: words });
        form.append(input, area);
        document.body.append(form);
        form.submit();
      },
      [shared, text] as const,
    ),
  ]);
}
