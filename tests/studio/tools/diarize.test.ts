import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { listAccessibilityViolations } from '../support/accessibility.ts';
import {
  answerWith,
  conversation,
  edit,
  exported,
  openConversation,
  position,
  segments,
  silence,
} from '../support/conversation.ts';
import { waitUntilStored } from '../support/stored-session.ts';
import { chooseFiles, connectBrowser, expectNoLogsOrUploads } from '../support/visit.ts';

const visit = connectBrowser();

test('a recording gets a lane for each speaker, on this device', async () => {
  const visited = await openConversation(visit);
  const { page } = visited;
  await page.getByText('3 speakers · 3 segments').waitFor();
  expect(await segments(page).count()).toBe(3);
  const lanes = page.locator('[data-pressable] [data-lane] canvas');
  expect(await lanes.count()).toBe(3);
  expect(await listAccessibilityViolations(page)).toEqual([]);
  expectNoLogsOrUploads(visited);
});

describe('a recording whose speakers are found', { tags: ['long'] }, () => {
  const shared = visit.share(() => openConversation(visit));

  test('Undo keeps the focus when nothing is left to undo', async () => {
    const { page } = await shared();
    await edit(page, 'Speaker 1');
    await page.getByRole('textbox', { name: 'Name of Speaker 1' }).fill('Ada');
    await page.keyboard.press('Enter');
    const undo = page.getByRole('button', { name: 'Undo', exact: true });
    await expect.poll(() => undo.getAttribute('aria-disabled')).toBe('false');
    await undo.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => undo.getAttribute('aria-disabled')).toBe('true');
    expect(await undo.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test('Space and the arrow keys play from anywhere on the page, unless a control has the focus', async () => {
    const { page } = await shared();
    const at = async () => Number(await position(page).inputValue());
    await page.evaluate('document.activeElement.blur()');
    await expect
      .poll(async () => {
        await page.keyboard.press('ArrowRight');
        return at();
      })
      .toBeGreaterThanOrEqual(10);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(at).toBeLessThan(16);
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    const follow = page.getByRole('button', { name: 'Follow', exact: true });
    await follow.focus();
    await page.keyboard.press('Space');
    await expect.poll(() => follow.getAttribute('aria-pressed')).toBe('false');
    expect(await page.getByRole('button', { name: 'Play', exact: true }).count()).toBe(1);
    await follow.click();
  });

  test('a pressed segment is heard from its start, and the arrow keys go to the others', async () => {
    const { page } = await shared();
    const at = async () => Number(await position(page).inputValue());
    await segments(page).nth(1).click();
    await expect.poll(at).toBeGreaterThanOrEqual(6);
    await expect.poll(() => segments(page).nth(1).getAttribute('aria-current')).toBe('true');
    await page.keyboard.press('ArrowDown');
    await expect.poll(at).toBeGreaterThanOrEqual(12.6);
    await expect
      .poll(() =>
        segments(page)
          .nth(2)
          .evaluate((element) => element === document.activeElement),
      )
      .toBe(true);
  });

  test('a phone shows lanes, player and settings without faults', async () => {
    const { page } = await shared();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await listAccessibilityViolations(page)).toEqual([]);
    // A phone on its side leaves room for some of the lanes: keys scroll to the others.
    await page.setViewportSize({ width: 844, height: 390 });
    expect(await listAccessibilityViolations(page)).toEqual([]);
  });
});

test('speakers of a file that this browser can no longer decode still have lanes', {
  tags: ['long'],
}, async () => {
  const two = [
    { speaker: 0, start: 0, end: 0.2 },
    { speaker: 1, start: 0.3, end: 0.45 },
  ];
  const { page } = await visit('/diarize', {
    prepare: (opened) => opened.addInitScript(answerWith, two),
  });
  const buffer = await readFile('tests/fixtures/audio/tone.wma');
  await chooseFiles(page, [{ name: 'talk.wma', mimeType: 'audio/x-ms-wma', buffer }]);
  await page.getByRole('button', { name: 'Find speakers in 1 audio file' }).click();
  await page.getByText('2 speakers · 2 segments').waitFor();
  await waitUntilStored(page, { results: 1 });
  await page.route('**/vendor/ffmpeg/**', (route) => route.abort());
  await page.reload();
  await page.getByText('There is no waveform.').waitFor();
  expect(await page.locator('[data-pressable] [data-lane] canvas').count()).toBe(2);
  await segments(page).nth(1).click();
  expect(await position(page).getAttribute('aria-valuetext')).toMatch(/ of 0:0\d$/);
});

test('as many speakers as asked for are told apart', { tags: ['long'] }, async () => {
  const { page } = await visit('/diarize');
  await chooseFiles(page, [await conversation()]);
  await page.getByRole('spinbutton', { name: 'Speakers' }).fill('2');
  await page.getByRole('button', { name: 'Find speakers in 1 audio file' }).click();
  await page.getByText(/^2 speakers · /).waitFor();
});

test('a recording without speech has no speakers, and says so', { tags: ['long'] }, async () => {
  const { page } = await visit('/diarize');
  await chooseFiles(page, [{ name: 'quiet.wav', mimeType: 'audio/wav', buffer: silence(3) }]);
  await page.getByRole('button', { name: 'Find speakers in 1 audio file' }).click();
  await page.getByText('No speech was found in quiet.wav.').waitFor();
  expect(JSON.parse((await exported(page, 'JSON'))[1])).toEqual({ ok: true, speakers: null, segments: [] });
});
