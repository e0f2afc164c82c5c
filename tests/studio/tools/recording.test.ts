// @module-tag long
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { listAccessibilityViolations } from '../support/accessibility.ts';
import { connectBrowser } from '../support/visit.ts';

const visit = connectBrowser();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Keeps the tracks of the microphone where a test can see them. */
const KEEP_TRACKS = `{
  const { mediaDevices } = navigator;
  const ask = mediaDevices.getUserMedia.bind(mediaDevices);
  window.tracks = [];
  mediaDevices.getUserMedia = async (wanted) => {
    const stream = await ask(wanted);
    window.tracks.push(...stream.getTracks());
    return stream;
  };
}`;
const prepare = (page: Page) => page.addInitScript(KEEP_TRACKS);
const trackStates = (page: Page) => page.evaluate<string[]>('tracks.map(({ readyState }) => readyState)');
const refusing = (name: string) => (page: Page) =>
  page.addInitScript(
    `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', '${name}'))`,
  );

/** Records until the page shows a whole second. */
async function record(page: Page) {
  await button(page, 'Record').click();
  await page.getByRole('timer', { name: 'Recorded' }).getByText('0:01').waitFor();
}

test.each([
  ['/diarize', 'Find speakers in 1 audio file'],
  ['/stems', 'Split 1 audio file'],
])('%s takes what the microphone records', async (path, action) => {
  const { page } = await visit(path, { prepare });
  await record(page);
  await page.getByRole('meter', { name: 'Level' }).waitFor();
  expect(await trackStates(page)).toEqual(['live']);
  expect(await listAccessibilityViolations(page)).toEqual([]);
  await button(page, 'Stop and use').click();
  await button(page, action).waitFor();
  expect(await trackStates(page)).toEqual(['ended']);
});

test('a recording is named by the time of the visitor', async () => {
  const { page } = await visit('/diarize', { timezoneId: 'Pacific/Kiritimati' });
  const before = new Date();
  await record(page);
  await button(page, 'Stop and use').click();
  const hours = [before, new Date()].map((at) =>
    new Date(at.getTime() + 14 * 3_600_000).toISOString().slice(0, 13).replace('T', '-'),
  );
  await page
    .getByText(new RegExp(`recording-(${hours.join('|')})`))
    .first()
    .waitFor();
});

test('a recording is searched for speakers', async () => {
  const { page } = await visit('/diarize');
  await record(page);
  await button(page, 'Stop and use').click();
  await button(page, 'Find speakers in 1 audio file').click();
  await page.getByText('no speech').first().waitFor();
});

test('a cancelled recording leaves no file, and frees the microphone', async () => {
  const { page } = await visit('/diarize', { prepare });
  await record(page);
  await button(page, 'Cancel recording').click();
  await button(page, 'Record').waitFor();
  expect(await trackStates(page)).toEqual(['ended']);
});

test('leaving the page frees the microphone', async () => {
  const { page } = await visit('/stems', { prepare });
  await record(page);
  await page.getByRole('link', { name: 'Darkroom' }).first().click();
  await page.waitForURL((url) => url.pathname === '/');
  await expect.poll(() => trackStates(page)).toEqual(['ended']);
});

test.each([
  ['NotAllowedError', 'The microphone is blocked for this site.'],
  ['NotFoundError', 'No microphone was found.'],
  ['NotReadableError', 'The microphone could not be used.'],
])('%s is said in plain words', async (name, words) => {
  const { page } = await visit('/diarize', { prepare: refusing(name) });
  await button(page, 'Record').click();
  await page.getByRole('status').getByText(words).waitFor();
  await button(page, 'Record').waitFor();
});

test('a browser that cannot record says so', async () => {
  const { page } = await visit('/diarize', {
    prepare: (opened) => opened.addInitScript('delete window.MediaRecorder'),
  });
  await button(page, 'Record').click();
  await page.getByRole('status').getByText('This browser cannot record.').waitFor();
});

test('only the pages that record may use the microphone', async () => {
  const { page } = await visit('/');
  for (const [path, policy] of [
    ['/', 'microphone=()'],
    ['/convert', 'microphone=()'],
    ['/diarize', 'microphone=(self)'],
    ['/stems', 'microphone=(self)'],
  ] as const) {
    const response = await page.request.get(path);
    expect(response.headers()['permissions-policy']).toContain(policy);
  }
});

test('a page that was reached without a load offers one before it records', async () => {
  const { page } = await visit('/');
  await page
    .getByRole('link', { name: /Who spoke/ })
    .first()
    .click();
  await page.waitForURL('**/diarize');
  await button(page, 'Record').click();
  await button(page, 'Reload page').click();
  await record(page);
});
