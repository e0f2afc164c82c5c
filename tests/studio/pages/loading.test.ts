import { expect, test } from 'vitest';
import { connectBrowser } from '../support/visit.ts';

const visit = connectBrowser();

test('the page of recent results says what it reads while the browser opens its storage', async () => {
  const { page } = await visit('/recent', {
    prepare: (opened) =>
      opened.addInitScript(() => {
        // A request that the browser never completes.
        IDBFactory.prototype.open = () =>
          Object.create(IDBOpenDBRequest.prototype, {
            addEventListener: { value: () => {} },
          });
      }),
  });
  await page.getByRole('heading', { name: 'Recent' }).waitFor();
  await page.getByRole('main').getByText('Reading your results').waitFor();
  expect(await page.getByText('Nothing here yet.').count()).toBe(0);
});

test('the settings say that the device is tested until that has ended', async () => {
  const { page } = await visit('/settings', {
    prepare: (opened) =>
      opened.addInitScript(() => {
        // Probes that run in a worker never respond.
        globalThis.Worker = class extends EventTarget {
          postMessage(): void {}
          terminate(): void {}
        } as unknown as typeof Worker;
      }),
  });
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await page.getByRole('main').getByText('Testing this device').waitFor();
  expect(await page.getByRole('heading', { name: 'This device' }).count()).toBe(0);
});
