import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { listAccessibilityViolations } from '../support/accessibility.ts';
import { reloadStored, waitUntilStored } from '../support/stored-session.ts';
import {
  chooseFiles,
  connectBrowser,
  downloadOnClick,
  expectNoLogsOrUploads,
  type TestFile,
  type VisitOptions,
} from '../support/visit.ts';

const visit = connectBrowser();

const conversation = async (): Promise<TestFile> => ({
  name: 'conversation.wav',
  mimeType: 'audio/wav',
  buffer: await readFile('public/samples/conversation.wav'),
});
const segments = (page: Page) => page.getByRole('list', { name: 'Segments' }).getByRole('button');
const position = (page: Page) => page.getByRole('slider', { name: 'Position in the recording' });
const edit = (page: Page, name: string) =>
  page.getByRole('button', { name: `Rename, merge or split ${name}` }).click();

/** Opens the page with a recording, and finds its speakers. */
async function openConversation(options: VisitOptions = {}, recording?: TestFile) {
  const visited = await visit('/who-spoke', options);
  const { page } = visited;
  await chooseFiles(page, [recording ?? (await conversation())]);
  await page.getByRole('button', { name: 'Find speakers in 1 audio file' }).click();
  await page.getByRole('heading', { name: 'Talk time' }).waitFor();
  return visited;
}

async function exported(page: Page, format: string): Promise<[name: string, text: string]> {
  await page.getByRole('radio', { name: format, exact: true }).check();
  const [name, bytes] = await downloadOnClick(page, () =>
    page.getByRole('button', { name: `Download ${format}`, exact: true }).click(),
  );
  return [name, bytes.toString()];
}

test('a recording gets a lane for each speaker, on this device', async () => {
  const visited = await openConversation();
  const { page } = visited;
  await page.getByText('3 speakers · 3 segments').waitFor();
  expect(await segments(page).count()).toBe(3);
  const lanes = page.locator('[data-pressable] [data-lane] canvas');
  expect(await lanes.count()).toBe(3);
  expect(await listAccessibilityViolations(page)).toEqual([]);
  expectNoLogsOrUploads(visited);
});

describe('a recording whose speakers are found', { tags: ['long'] }, () => {
  const shared = visit.share(() => openConversation());

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
});

test('a name stands in the files, and outlives a reload', { tags: ['long'] }, async () => {
  const { page } = await openConversation();
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

test('speakers are merged, and a segment becomes that of a new one', { tags: ['long'] }, async () => {
  const { page } = await openConversation();
  await edit(page, 'Speaker 2');
  const other = page.getByRole('combobox', { name: 'Same person as Speaker 2' });
  expect(await other.locator('option').allInnerTexts()).toEqual(['Speaker 1', 'Speaker 3']);
  await page.getByText('3 speakers · 3 segments').waitFor();
  await page.getByRole('button', { name: 'Merge', exact: true }).click();
  await page.getByText('2 speakers · 3 segments').waitFor();
  const written = async () => {
    const { speakers, segments: all } = JSON.parse((await exported(page, 'JSON'))[1]);
    return [speakers, all.map(({ speaker }: { speaker: number }) => speaker)];
  };
  expect(await written()).toEqual([2, [0, 0, 1]]);
  await segments(page).nth(1).click();
  const assign = page.getByRole('combobox', { name: 'Segment at 0:06 is' });
  await assign.selectOption('a new speaker');
  await page.getByText('3 speakers · 3 segments').waitFor();
  expect(await written()).toEqual([3, [0, 1, 2]]);
});

test('changes are undone and redone, by button and by keys, also after a reload', {
  tags: ['long'],
}, async () => {
  const { page } = await openConversation();
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

test('of 6000 segments only those near the view are drawn, and the keyboard reaches the others', {
  tags: ['long'],
}, async () => {
  const { page } = await openSegments(MANY_SEGMENTS);
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

test('a pressed segment stays the current one at its end, whatever overlaps it or follows', {
  tags: ['long'],
}, async () => {
  const overlapping = [
    { speaker: 0, start: 1, end: 1.6 },
    { speaker: 1, start: 1, end: 1.6 },
    { speaker: 2, start: 1.5, end: 4 },
  ];
  const { page } = await openSegments(overlapping);
  const currents = () =>
    segments(page).evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-current')));
  await segments(page).nth(1).click();
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  expect(await currents()).toEqual(['false', 'true', 'false']);
  await page.getByRole('combobox', { name: 'Segment at 0:01 is' }).selectOption('a new speaker');
  await segments(page).nth(1).getByText('Speaker 4').waitFor();
  expect(await currents()).toEqual(['false', 'true', 'false']);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect.poll(currents).toEqual(['false', 'false', 'true']);
});

test('speakers of a file that this browser can no longer decode still have lanes', {
  tags: ['long'],
}, async () => {
  const two = [
    { speaker: 0, start: 0, end: 0.2 },
    { speaker: 1, start: 0.3, end: 0.45 },
  ];
  const { page } = await visit('/who-spoke', {
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

test('a split is offered only where it leaves turns on both sides', { tags: ['long'] }, async () => {
  const turns = [
    { speaker: 0, start: 1.756, end: 3.94 },
    { speaker: 1, start: 6.204, end: 11.236 },
    { speaker: 0, start: 12.732, end: 18.148 },
  ];
  const { page } = await openSegments(turns);
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

test('as many speakers as asked for are told apart', { tags: ['long'] }, async () => {
  const { page } = await visit('/who-spoke');
  await chooseFiles(page, [await conversation()]);
  await page.getByRole('spinbutton', { name: 'How many speakers' }).fill('2');
  await page.getByRole('button', { name: 'Find speakers in 1 audio file' }).click();
  await page.getByText(/^2 speakers · /).waitFor();
});

test('a recording without speech has no speakers, and says so', { tags: ['long'] }, async () => {
  const { page } = await visit('/who-spoke');
  await chooseFiles(page, [{ name: 'quiet.wav', mimeType: 'audio/wav', buffer: silence(3) }]);
  await page.getByRole('button', { name: 'Find speakers in 1 audio file' }).click();
  await page.getByText('No speech was found in quiet.wav.').waitFor();
  expect(JSON.parse((await exported(page, 'JSON'))[1])).toEqual({ ok: true, speakers: null, segments: [] });
});

test('a phone shows lanes, player and settings without faults', { tags: ['long'] }, async () => {
  const visited = await visit('/who-spoke', { viewport: { width: 390, height: 844 } });
  const { page } = visited;
  await chooseFiles(page, [await conversation()]);
  await page.getByRole('button', { name: 'Find speakers in 1 audio file' }).click();
  await page.getByRole('heading', { name: 'Talk time' }).waitFor();
  expect(await listAccessibilityViolations(page)).toEqual([]);
  // A phone on its side leaves room for some of the lanes: keys scroll to the others.
  await page.setViewportSize({ width: 844, height: 390 });
  expect(await listAccessibilityViolations(page)).toEqual([]);
});

/** Segments of one and a half seconds by three speakers. */
const MANY_SEGMENTS = Array.from({ length: 6000 }, (_, at) => ({
  speaker: at % 3,
  start: 2 * at,
  end: 2 * at + 1.5,
}));

/** Opens the page with a recording in which these segments are said to be found. Silence, which is searched faster. */
const openSegments = (found: typeof MANY_SEGMENTS) =>
  openConversation(
    { prepare: (opened) => opened.addInitScript(answerWith, found) },
    { name: 'conversation.wav', mimeType: 'audio/wav', buffer: silence(19) },
  );

/** Runs in the page: results of a diarization have these segments. */
function answerWith(segments: typeof MANY_SEGMENTS): void {
  const { text } = Blob.prototype;
  Blob.prototype.text = async function (this: Blob) {
    const own = await text.call(this);
    return own.includes('"segments"') ? JSON.stringify({ ok: true, speakers: 3, segments }) : own;
  };
}

/** Writes a WAV of silence: 16 kHz, mono, 16 bits. */
function silence(seconds: number): Buffer {
  const bytes = seconds * 32_000;
  const head = Buffer.alloc(44);
  head.write('RIFF');
  head.writeUInt32LE(36 + bytes, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(16_000, 24);
  head.writeUInt32LE(32_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(bytes, 40);
  return Buffer.concat([head, Buffer.alloc(bytes)]);
}
