// @module-tag long
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { createTestPicture } from '../support/pictures.ts';
import { chooseFiles, connectBrowser, type TestFile } from '../support/visit.ts';

const visit = connectBrowser();
const TOOLS = [
  { path: '/diarize', action: 'Find speakers in 1 audio file' },
  { path: '/stems', action: 'Split 1 audio file' },
];
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const named = (name: string, buffer: Buffer): TestFile => ({ name, mimeType: 'audio/wav', buffer });

describe.each(TOOLS)('$path', ({ path, action }) => {
  test('a run is cancelled, and can start again', async () => {
    const { page } = await visit(path);
    await chooseFiles(page, [named('talk.wav', await readFile('public/samples/conversation.wav'))]);
    await button(page, action).click();
    await button(page, 'Cancel').click();
    await button(page, action).waitFor();
    expect(await button(page, 'Cancel').count()).toBe(0);
  });

  test('an image that is named as sound is left out, and offered to other tools', async () => {
    const { page } = await visit(path);
    const { buffer } = await createTestPicture('image.jpg');
    await chooseFiles(page, [named('image.wav', buffer)]);
    await page.getByText('Skipped: image.wav is an image.').waitFor();
    await page.getByText('Open it in Convert images').waitFor();
  });

  test('a file with half a head is reported as damaged before a run', async () => {
    const { page } = await visit(path);
    const whole = await readFile('public/samples/conversation.wav');
    await chooseFiles(page, [named('broken.wav', whole.subarray(0, 20))]);
    await page.getByText("This file is damaged and can't be read to its end.").waitFor();
  });
});
