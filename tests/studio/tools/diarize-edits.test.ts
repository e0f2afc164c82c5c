// @module-tag long

import { expect, test } from 'vitest';
import { listAccessibilityViolations } from '../support/accessibility.ts';
import { edit, exported, openSegments, segments } from '../support/conversation.ts';
import { reloadStored } from '../support/stored-session.ts';
import { connectBrowser } from '../support/visit.ts';

const visit = connectBrowser();

/** Segments as in the conversation. */
const THREE_SPEAKERS = [
  { speaker: 0, start: 0.1, end: 5.9 },
  { speaker: 1, start: 6.2, end: 11.24 },
  { speaker: 2, start: 12.73, end: 18.15 },
];

/** Segments of one and a half seconds by three speakers. */
const MANY_SEGMENTS = Array.from({ length: 6000 }, (_, at) => ({
  speaker: at % 3,
  start: 2 * at,
  end: 2 * at + 1.5,
}));

test('a name stands in the files, and outlives a reload', async () => {
  const { page } = await openSegments(visit, THREE_SPEAKERS);
  await edit(page, 'Speaker 1');
  await page.getByRole('textbox', { name: 'Name of Speaker 1' }).fill('Ada "the first"');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Rename, merge or split Ada "the first"' }).waitFor();
  const [name, srt] = await exported(page, 'SRT');
  expect(name).toBe('conversation-speakers.srt');
  expect(srt).toContain('Ada "the first"\n\n2\n00:00:06,');
  expect((await exported(page, 'CSV'))[1]).toContain(',"Ada ""the first"""\r\n');
  expect((await exported(page, 'RTTM'))[1]).toMatch(
    /^SPEAKER conversation 1 \d+\.\d{3} \d+\.\d{3} <NA> <NA> Ada_/,
  );
  await reloadStored(page, { results: 1 });
  await page.getByRole('button', { name: 'Rename, merge or split Ada "the first"' }).waitFor();
});

test('speakers are merged, and a segment becomes that of a new one', async () => {
  const { page } = await openSegments(visit, THREE_SPEAKERS);
  await edit(page, 'Speaker 2');
  const other = page.getByRole('combobox', { name: 'Same person as Speaker 2' });
  expect(await other.locator('option').allInnerTexts()).toEqual(['Speaker 1', 'Speaker 3']);
  await page.getByText('3 speakers · 3 segments').waitFor();
  await page.getByRole('button', { name: 'Merge', exact: true }).press('Enter');
  await page.getByText('2 speakers · 3 segments').waitFor();
  // The row with the button is gone: a visitor who uses the keyboard stays among the speakers.
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Talk time');
  const written = async () => {
    const { speakers, segments: all } = JSON.parse((await exported(page, 'JSON'))[1]);
    return [speakers, all.map(({ speaker }: { speaker: number }) => speaker)];
  };
  expect(await written()).toEqual([2, [0, 0, 1]]);
  await segments(page).nth(1).click();
  const assign = page.getByRole('combobox', { name: '0:06 is' });
  await assign.selectOption('a new speaker');
  await page.getByText('3 speakers · 3 segments').waitFor();
  expect(await written()).toEqual([3, [0, 1, 2]]);
});

test('changes are undone and redone, by button and by keys, also after a reload', async () => {
  const { page } = await openSegments(visit, THREE_SPEAKERS);
  const row = (name: string) => page.getByRole('button', { name: `Rename, merge or split ${name}` });
  await edit(page, 'Speaker 1');
  await page.getByRole('textbox', { name: 'Name of Speaker 1' }).fill('Ada');
  await page.keyboard.press('Enter');
  await row('Ada').waitFor();
  expect(
    await page.getByRole('textbox', { name: 'Name of Ada' }).evaluate((it) => it.matches(':focus')),
  ).toBe(true);
  await edit(page, 'Speaker 2');
  await page.getByRole('button', { name: 'Merge', exact: true }).last().click();
  await page.getByText('2 speakers · 3 segments').waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByText('3 speakers · 3 segments').waitFor();
  await row('Ada').waitFor();
  await reloadStored(page, { results: 1 });
  await row('Ada').waitFor();
  await page.getByRole('heading', { name: 'Segments' }).click();
  await page.keyboard.press('Control+z');
  await row('Speaker 1').waitFor();
  expect(await page.getByRole('button', { name: 'Undo', exact: true }).isDisabled()).toBe(true);
  await page.keyboard.press('Control+Shift+z');
  await row('Ada').waitFor();
  await page.keyboard.press('Control+Shift+z');
  await page.getByText('2 speakers · 3 segments').waitFor();
});

test('of 6000 segments only those near the view are drawn, and the keyboard reaches the others', async () => {
  const { page } = await openSegments(visit, MANY_SEGMENTS);
  await page.getByText('3 speakers · 6000 segments').waitFor();
  const list = page.getByRole('list', { name: 'Segments' });
  const rows = list.getByRole('listitem');
  const heights = await list.evaluate(({ parentElement: box }) => [box?.scrollHeight, box?.clientHeight]);
  expect(heights).toEqual([6000 * 32, 288]);
  expect(await rows.count()).toBeLessThanOrEqual(40);
  await list.evaluate((element) => element.parentElement?.scrollTo(0, 3000 * 32));
  await list.getByText('100:00', { exact: true }).waitFor();
  expect(await rows.count()).toBeLessThanOrEqual(40);
  const last = rows.last();
  await list.evaluate((element) => element.parentElement?.scrollTo(0, element.scrollHeight));
  await list.getByText('199:58', { exact: true }).waitFor();
  expect(await last.getAttribute('aria-posinset')).toBe('6000');
  expect(await last.getAttribute('aria-setsize')).toBe('6000');
  expect(await page.locator('body *').count()).toBeLessThan(1000);
  await last.getByRole('button').focus();
  await list.evaluate((element) => element.parentElement?.scrollTo(0, 0));
  await list.getByText('0:02', { exact: true }).waitFor();
  for (let steps = 0; steps < 3; steps++) await page.keyboard.press('ArrowUp');
  const focused = page.locator('[data-place]:focus');
  expect(await focused.getAttribute('data-place')).toBe('5996');
  expect(await listAccessibilityViolations(page)).toEqual([]);
});

test('a pressed segment stays the current one at its end, whatever overlaps it or follows', async () => {
  const overlapping = [
    { speaker: 0, start: 1, end: 1.6 },
    { speaker: 1, start: 1, end: 1.6 },
    { speaker: 2, start: 1.5, end: 4 },
  ];
  const { page } = await openSegments(visit, overlapping);
  const currents = () =>
    segments(page).evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-current')));
  await segments(page).nth(1).click();
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  expect(await currents()).toEqual(['false', 'true', 'false']);
  await page.getByRole('combobox', { name: '0:01 is' }).selectOption('a new speaker');
  await segments(page).nth(1).getByText('Speaker 4').waitFor();
  expect(await currents()).toEqual(['false', 'true', 'false']);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect.poll(currents).toEqual(['false', 'false', 'true']);
});

test('a split is offered only where it leaves turns on both sides', async () => {
  const turns = [
    { speaker: 0, start: 1.756, end: 3.94 },
    { speaker: 1, start: 6.204, end: 11.236 },
    { speaker: 0, start: 12.732, end: 18.148 },
  ];
  const { page } = await openSegments(visit, turns);
  await edit(page, 'Speaker 1');
  const offer = page.getByRole('button', { name: /^(Split from|Play a later)/ });
  expect([await offer.innerText(), await offer.isDisabled()]).toEqual([
    'Play a later segment to split there',
    true,
  ]);
  await segments(page).nth(2).click();
  await page.getByRole('button', { name: 'Split from 0:13 on' }).click();
  await page.getByText('3 speakers · 3 segments').waitFor();
});
