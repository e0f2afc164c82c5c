import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { writeWavHeader } from '../../../models/media/audio/write-audio.ts';
import {
  chooseFiles,
  downloadOnClick,
  type OpenVisit,
  type TestFile,
  type Visit,
  type VisitOptions,
} from './visit.ts';

/** Segment of a diarization, in seconds. */
export interface FoundSegment {
  readonly speaker: number;
  readonly start: number;
  readonly end: number;
}

/** The product's own conversation, of three speakers. */
export const conversation = async (): Promise<TestFile> => ({
  name: 'conversation.wav',
  mimeType: 'audio/wav',
  buffer: await readFile('public/samples/conversation.wav'),
});

/** Rows of the list of segments. */
export const segments = (page: Page) => page.getByRole('list', { name: 'Segments' }).getByRole('button');
export const position = (page: Page) => page.getByRole('slider', { name: 'Position in the recording' });

/** Opens the fields of a speaker. */
export const edit = (page: Page, name: string) =>
  page.getByRole('button', { name: `Rename, merge or split ${name}` }).click();

/** Opens the page with a recording, by default the conversation, and finds its speakers. */
export async function openConversation(
  visit: OpenVisit,
  options: VisitOptions = {},
  recording?: TestFile,
): Promise<Visit> {
  const visited = await visit('/diarize', options);
  const { page } = visited;
  await chooseFiles(page, [recording ?? (await conversation())]);
  await page.getByRole('button', { name: 'Find speakers in 1 audio file' }).click();
  await page.getByRole('heading', { name: 'Talk time' }).waitFor();
  return visited;
}

/** Downloads the result in a format. */
export async function exported(page: Page, format: string): Promise<[name: string, text: string]> {
  await page.getByRole('radio', { name: format, exact: true }).check();
  const [name, bytes] = await downloadOnClick(page, () =>
    page.getByRole('button', { name: `Download ${format}`, exact: true }).click(),
  );
  return [name, bytes.toString()];
}

/** Opens the page with a recording in which the model finds these segments. Silence, which is searched faster. */
export const openSegments = (visit: OpenVisit, found: readonly FoundSegment[]): Promise<Visit> =>
  openConversation(
    visit,
    { prepare: (opened) => opened.addInitScript(answerWith, found) },
    { name: 'conversation.wav', mimeType: 'audio/wav', buffer: silence(19) },
  );

/** Runs in the page: results of a diarization have these segments. */
export function answerWith(segments: readonly FoundSegment[]): void {
  const { text } = Blob.prototype;
  Blob.prototype.text = async function (this: Blob) {
    const own = await text.call(this);
    return own.includes('"segments"') ? JSON.stringify({ ok: true, speakers: 3, segments }) : own;
  };
}

/** Returns a WAV file of silence: 16 kHz, mono. */
export function silence(seconds: number): Buffer {
  const samples = Buffer.alloc(seconds * 32_000);
  return Buffer.concat([writeWavHeader({ sampleRate: 16_000, channelCount: 1 }, samples.length), samples]);
}
