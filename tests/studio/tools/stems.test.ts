import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { decodeSamples, getWav } from '../../support/media/audio.ts';
import { listAccessibilityViolations } from '../support/accessibility.ts';
import { reloadStored, waitUntilStored } from '../support/stored-session.ts';
import { createToneWav } from '../support/tone-wav.ts';
import {
  chooseFiles,
  connectBrowser,
  downloadOnClick,
  expectNoLogsOrUploads,
  openPage,
  type TestFile,
  type Visit,
} from '../support/visit.ts';
import { listZipEntries } from '../support/zip.ts';

const visit = connectBrowser();

const RATE = 44_100;
const song = async (): Promise<TestFile> => ({
  name: 'song.mp3',
  mimeType: 'audio/mpeg',
  buffer: await readFile('public/samples/song.mp3'),
});
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const position = (page: Page) => page.getByRole('slider', { name: 'Position in the recording' });
const gain = (page: Page, stem: string) => page.getByRole('slider', { name: `Gain of ${stem}` });

/** The song's first seconds: a third of the work. */
async function songStart(): Promise<TestFile> {
  const { buffer } = await song();
  const channels = await decodeSamples(new Blob([Uint8Array.from(buffer)]), {
    sampleRate: RATE,
    channelCount: 2,
  });
  const start = getWav(
    channels.map((samples) => samples.slice(0, 6 * RATE)),
    RATE,
  );
  return { name: 'song.wav', mimeType: 'audio/wav', buffer: Buffer.from(await start.arrayBuffer()) };
}

/** Opens the page with a song, and splits it. */
async function openSong(stems: 'Two' | 'Four', options = {}, file = song()) {
  const visited = await visit('/stems', options);
  const { page } = visited;
  await chooseFiles(page, [await file]);
  await page.getByRole('radio', { name: stems, exact: true }).check();
  await button(page, 'Split 1 audio file').click();
  await button(page, 'Solo Vocals').waitFor({ timeout: 120_000 });
  return visited;
}

/** Downloads by the main button. */
const saved = (page: Page) =>
  downloadOnClick(page, () => page.getByRole('button', { name: /^Download( all \d as zip)?$/ }).click());

/** Name of a file, with the tempo and the key where the song has them. */
const fileName = (content: string, format = 'wav') =>
  new RegExp(`^song-(\\d+bpm-)?([A-G][b#]?m?-)?${content}\\.${format}$`);

test('a song becomes four stems with a waveform each, on this device', async () => {
  const visited = await openSong('Four', {}, songStart());
  const { page } = visited;
  for (const stem of ['Vocals', 'Drums', 'Bass', 'Other']) await button(page, `Mute ${stem}`).waitFor();
  await expect.poll(() => page.locator('[data-pressable] [data-lane] canvas').count()).toBe(4);
  expect(await listAccessibilityViolations(page)).toEqual([]);
  const [name, zip] = await saved(page);
  expect(name).toBe('darkroom-stems.zip');
  const names = ['vocals', 'drums', 'bass', 'other'].map((stem) => fileName(stem));
  expect(listZipEntries(zip)).toEqual(names.map((name) => expect.stringMatching(name)));

  // Two are the sum of these, and the four come back: neither needs a run.
  await page.getByRole('radio', { name: 'Two', exact: true }).check();
  await button(page, 'Mute No vocals').waitFor();
  expect(await button(page, 'Split 1 audio file').count()).toBe(0);
  await page.getByRole('radio', { name: 'FLAC' }).check();
  const [, two] = await saved(page);
  expect(listZipEntries(two)).toEqual([
    expect.stringMatching(fileName('vocals', 'flac')),
    expect.stringMatching(fileName('no_vocals', 'flac')),
  ]);
  for (const stems of ['Four', 'Two', 'Four']) {
    await page.getByRole('radio', { name: stems, exact: true }).check();
    await button(page, stems === 'Four' ? 'Mute Drums' : 'Mute No vocals').waitFor();
  }
  await openPage(page, '/recent');
  const groups = page.getByRole('main').getByRole('region');
  await groups.first().waitFor();
  // The sum stands once, next to the stems that it was made from.
  expect(await groups.count()).toBe(1);
  expect(await groups.getByText(fileName('no_vocals')).count()).toBe(1);
  expectNoLogsOrUploads(visited);
});

/** Lets a test read when clicks of a count-in sound, in seconds. */
const recordClicks = (page: Page) =>
  page.addInitScript(() => {
    const clicks: number[] = [];
    Object.assign(globalThis, { clicks });
    const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function (this: OscillatorNode, at = 0) {
      clicks.push(at);
      start.call(this, at);
    };
  });

describe('a song in two stems', { tags: ['long'] }, () => {
  const shared = visit.share(() => openSong('Two', { prepare: recordClicks }));

  /** Returns the shared song with the settings of a new one. */
  async function untouched(): Promise<Visit> {
    const visited = await shared();
    const { page } = visited;
    for (const name of ['WAV', 'The mix']) await page.getByRole('radio', { name, exact: true }).check();
    const solo = button(page, 'Solo Vocals');
    if ((await solo.getAttribute('aria-pressed')) === 'true') await solo.click();
    await page.getByRole('checkbox', { name: 'Count-in' }).setChecked(false);
    await position(page).fill('0');
    return visited;
  }

  test('the original is heard from where the mix was', async () => {
    const { page } = await shared();
    await position(page).fill('5');
    await page.getByRole('radio', { name: 'Original', exact: true }).check({ force: true });
    await expect.poll(async () => Number(await position(page).inputValue())).toBe(5);
    await page.getByRole('radio', { name: 'Mix', exact: true }).check({ force: true });
    await button(page, 'Solo Vocals').waitFor();
  });

  test('all stems play as one, and stop where a press goes', async () => {
    const { page } = await shared();
    await position(page).fill('3');
    await button(page, 'Play').click();
    await expect.poll(async () => Number(await position(page).inputValue())).toBeGreaterThan(3.2);
    await button(page, 'Pause').click();
    await button(page, 'Play').waitFor();
  });

  test('a solo stem is heard alone, and both stems together are the song', async () => {
    const { page } = await shared();
    await page.getByRole('radio', { name: 'The mix', exact: true }).check();
    const [, whole] = await saved(page);
    await button(page, 'Solo Vocals').click();
    const [, alone] = await saved(page);
    const [, vocals] = await downloadOnClick(page, () => button(page, 'Download Vocals').click());
    expect(alone.subarray(44).equals(vocals.subarray(44))).toBe(true);
    expect(getLevel(whole)).toBeGreaterThan(getLevel(vocals));
  });

  test('a drag over a waveform chooses the loop', async () => {
    const { page } = await shared();
    const box = await page.locator('[data-pressable] [data-lane] canvas').first().boundingBox();
    if (!box) throw new Error('no waveform');
    await page.mouse.move(box.x + box.width * 0.25, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, box.y + 10, { steps: 4 });
    await page.mouse.up();
    await button(page, 'Loop 0:03 to 0:06').waitFor();
    await button(page, 'Remove loop').click();
  });

  test('bars of the song are repeated from where it is', async () => {
    const { page } = await shared();
    await position(page).fill('1');
    const tempo = await page.getByText(/^\d+ bpm$/).innerText();
    await button(page, 'Loop 2 bars').click();
    const seconds = await page.getByRole('spinbutton', { name: 'To, in seconds' }).inputValue();
    expect(Number(seconds) - 1).toBeCloseTo((8 * 60) / Number.parseInt(tempo, 10), 0);
    await button(page, 'Remove loop').click();
  });

  test('a part repeats, is saved as MP3 and can be set by its times', async () => {
    const { page } = await shared();
    await position(page).fill('2');
    await button(page, 'Start here').click();
    const end = page.getByRole('spinbutton', { name: 'To, in seconds' });
    await end.fill('3');
    await end.press('Enter');
    await expect.poll(() => button(page, 'Loop 0:02 to 0:03').getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('radio', { name: 'The loop', exact: true }).check();
    const [wavName, wav] = await saved(page);
    expect(wavName).toMatch(fileName('part'));
    expect((wav.length - 44) / 4).toBe(44_100);
    await page.getByRole('radio', { name: 'MP3', exact: true }).check();
    const [mp3Name, mp3] = await saved(page);
    expect(mp3Name).toMatch(fileName('part', 'mp3'));
    expect(mp3.length).toBeLessThan(wav.length / 3);
    await button(page, 'Remove loop').click();
    await expect.poll(() => button(page, 'Loop 0:02 to 0:03').count()).toBe(0);
  });

  test('one bar of clicks at the tempo of the song is heard before it plays', async () => {
    const { page } = await untouched();
    const tempo = Number(
      (
        await page
          .getByText(/^\d+ bpm$/)
          .first()
          .innerText()
      ).replace(' bpm', ''),
    );
    await page.getByRole('checkbox', { name: 'Count-in' }).check();
    expect(await listAccessibilityViolations(page)).toEqual([]);
    await button(page, 'Play').click();
    await page.locator('[data-beat]').waitFor();
    expect(await position(page).inputValue()).toBe('0');
    await expect.poll(async () => Number(await position(page).inputValue())).toBeGreaterThan(0.3);
    expect(await page.locator('[data-beat]').count()).toBe(0);
    const clicks = await page.evaluate(() => (globalThis as unknown as { clicks: number[] }).clicks);
    expect(clicks.length).toBe(4);
    expect((clicks[3] ?? 0) - (clicks[0] ?? 0)).toBeCloseTo((3 * 60) / tempo, 2);
    await position(page).fill('1');
    await button(page, 'Pause').click();
    const counted = await page.evaluate(() => (globalThis as unknown as { clicks: number[] }).clicks.length);
    expect(counted).toBe(4);
  });

  test('a phone shows stems, player and settings without faults', async () => {
    const { page } = await untouched();
    const size = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await listAccessibilityViolations(page)).toEqual([]);
    if (size) await page.setViewportSize(size);
  });

  test('the saved mix follows mutes and gains, which outlive a reload', async () => {
    const { page } = await untouched();
    await button(page, 'Mute No vocals').click();
    await gain(page, 'Vocals').fill('-6');
    const [name, quiet] = await saved(page);
    expect(name).toMatch(fileName('mix'));
    const [stemName, stem] = await downloadOnClick(page, () => button(page, 'Download Vocals').click());
    expect(stemName).toMatch(fileName('vocals'));
    expect(quiet.length).toBe(stem.length);
    expect(getLevel(quiet) / getLevel(stem)).toBeCloseTo(10 ** (-6 / 20), 2);
    await reloadStored(page, { results: 1 });
    await expect.poll(() => button(page, 'Mute No vocals').getAttribute('aria-pressed')).toBe('true');
    expect(await gain(page, 'Vocals').inputValue()).toBe('-6');
  });
});

/** Lets a test hear what a page plays. */
const listen = (page: Page) =>
  page.addInitScript(() => {
    const { connect } = AudioNode.prototype;
    AudioNode.prototype.connect = new Proxy(connect, {
      apply(_connect, node: AudioNode, [to, ...rest]) {
        if (to instanceof AudioDestinationNode) {
          const heard = new AnalyserNode(node.context, { fftSize: 16_384, smoothingTimeConstant: 0 });
          Reflect.apply(connect, node, [heard]);
          Object.assign(globalThis, { heard });
        }
        return Reflect.apply(connect, node, [to, ...rest]);
      },
    });
  });

/** Returns the loudest frequency that a page plays, in Hz. */
const loudestHz = (page: Page) =>
  page.evaluate(() => {
    const { heard } = globalThis as unknown as { heard: AnalyserNode };
    const levels = new Float32Array(heard.frequencyBinCount);
    heard.getFloatFrequencyData(levels);
    return (levels.indexOf(Math.max(...levels)) * heard.context.sampleRate) / heard.fftSize;
  });

const near = (hertz: number) => (found: number) => Math.abs(found / hertz - 1) < 0.02;

test('pitch and tempo change apart, while it plays', { tags: ['long'] }, async () => {
  const { page } = await visit('/stems', { prepare: listen });
  await chooseFiles(page, [{ name: 'tone.wav', mimeType: 'audio/wav', buffer: createToneWav(440, 20) }]);
  await page.getByRole('radio', { name: 'Two', exact: true }).check();
  await button(page, 'Split 1 audio file').click();
  await button(page, 'Solo Vocals').waitFor({ timeout: 120_000 });
  await button(page, 'Play').click();
  await expect.poll(() => loudestHz(page)).toSatisfy(near(440));
  await page.getByRole('combobox', { name: 'Pitch' }).selectOption('+12 st');
  await expect.poll(() => loudestHz(page)).toSatisfy(near(880));
  for (const speed of ['1', '1.25', '1.5']) await button(page, `Speed ${speed}×, change`).click();
  await button(page, 'Speed 0.5×, change').waitFor();
  await expect.poll(() => loudestHz(page)).toSatisfy(near(880));
  await page.getByRole('combobox', { name: 'Pitch' }).selectOption('pitch');
  await expect.poll(() => loudestHz(page)).toSatisfy(near(440));
  await button(page, 'Pause').click();
});

test('the reader of rare files is loaded with the first of them, and says how far it is', {
  tags: ['long'],
}, async () => {
  const { page, requests } = await visit('/stems');
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/ffmpeg-core*.wasm', async (route) => {
    await released;
    await route.continue();
  });
  const add = async (name: string) =>
    await chooseFiles(page, [{ name, mimeType: '', buffer: await readFile(`tests/fixtures/audio/${name}`) }]);
  await add('tone.m4a');
  await page.getByText('about').first().waitFor();
  expect(requests.filter(({ url }) => url.includes('ffmpeg'))).toEqual([]);
  await add('tone.wma');
  await page.getByText(/^loading the reader · .+ of 32\.7 MB$/).waitFor();
  release();
  await page.getByText(/^loading the reader/).waitFor({ state: 'detached' });
  await add('tone.aiff');
  await button(page, 'Split 3 audio files').waitFor();
});

test('stems of a file that this browser can no longer decode can be played and mixed', {
  tags: ['long'],
}, async () => {
  const { page } = await visit('/stems');
  const buffer = await readFile('tests/fixtures/audio/tone.wma');
  await chooseFiles(page, [{ name: 'song.wma', mimeType: 'audio/x-ms-wma', buffer }]);
  await button(page, 'Split 1 audio file').click();
  await button(page, 'Solo Vocals').waitFor({ timeout: 120_000 });
  await waitUntilStored(page, { results: 1 });
  await page.route('**/vendor/ffmpeg/**', (route) => route.abort());
  await page.reload();
  await button(page, 'Solo Vocals').click();
  await expect.poll(() => page.locator('[data-pressable] [data-lane] canvas').count()).toBe(2);
  await page.getByRole('radio', { name: 'Original', exact: true }).check({ force: true });
  const missing = 'A part of Darkroom could not be loaded. Check your connection and try again.';
  await page.getByText(missing, { exact: true }).waitFor();
});

/** Root of the mean square of a WAV of 16 bits. */
function getLevel(wav: Buffer): number {
  let sum = 0;
  for (let at = 44; at + 1 < wav.length; at += 2) sum += wav.readInt16LE(at) ** 2;
  return Math.sqrt(sum / ((wav.length - 44) / 2));
}
