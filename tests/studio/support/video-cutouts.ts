import type { Page } from 'playwright';
import { createSubjectVideo } from '../../support/media/subject-video.ts';
import { chooseFiles, type OpenVisit, type TestFile, type Visit, type VisitOptions } from './visit.ts';

/** Short video with one clear subject. */
export async function createClip(): Promise<TestFile> {
  const buffer = Buffer.from(await (await createSubjectVideo()).arrayBuffer());
  return { name: 'clip.mp4', mimeType: 'video/mp4', buffer };
}

export const player = (page: Page, label: string) => page.locator(`video[aria-label="${label}"]`);
export const start = (page: Page) =>
  page.getByRole('button', { name: 'Remove background from 1 video', exact: true });

/** Visits the page and chooses the clip, whose run has not begun. */
export async function chooseClip(visit: OpenVisit, options?: VisitOptions): Promise<Visit> {
  const visited = await visit('/remove-bg', options);
  await chooseFiles(visited.page, [await createClip()]);
  await player(visited.page, 'clip.mp4, original').waitFor();
  return visited;
}

/** Removes the background of the chosen clip. */
export async function removeBackground(page: Page): Promise<void> {
  await start(page).click();
  await player(page, 'clip.mp4, result').waitFor();
}
