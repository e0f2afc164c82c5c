import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { listViolationsInBothThemes } from '../support/accessibility.ts';
import { BALL, createBallPicture, decodePixels, paintStroke } from '../support/cutouts.ts';
import { delayCodecs } from '../support/delay-codecs.ts';
import { createBrokenPicture, createTestPicture } from '../support/pictures.ts';
import { readStored, reloadStored, waitUntilStored } from '../support/stored-session.ts';
import {
  chooseFiles,
  connectBrowser,
  downloadOnClick,
  openPage,
  reloadPage,
  type Visit,
} from '../support/visit.ts';

const visit = connectBrowser();

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

/** Tile of a file, whose name goes on with a fact about it. */
const tile = (page: Page, name: string) => page.getByRole('button', { name: `Show ${name}` });

/** Converts two files to PNG, a third of which is broken. */
async function convertSome(): Promise<Visit> {
  const visited = await visit('/convert');
  const { page } = visited;
  await page.getByRole('radio', { name: 'PNG' }).check();
  await chooseFiles(page, [
    await createTestPicture('one.jpg'),
    await createTestPicture('two.jpg', 40),
    createBrokenPicture('bad.jpg'),
  ]);
  // The broken one gets no result.
  await button(page, 'Convert 2 images').click();
  await page.getByText('2 done, 1 failed').waitFor();
  return visited;
}

async function expectConverted(page: Page): Promise<void> {
  await page.getByText('2 done, 1 failed').waitFor();
  expect(await page.getByRole('radio', { name: 'PNG' }).isChecked()).toBe(true);
  const [name, bytes] = await downloadOnClick(page, () =>
    button(page, 'Download the result of two.jpg').click(),
  );
  expect(name).toBe('two.png');
  expect((await decodePixels(bytes)).format).toBe('png');
  expect(await button(page, 'Show two.jpg').getAttribute('aria-pressed')).toBe('true');
}

test('a reload keeps files, settings and results, and says nothing was lost', async () => {
  const { page, complaints } = await convertSome();
  await tile(page, 'two.jpg').click();
  await reloadStored(page);
  await expectConverted(page);
  expect(await page.getByText(/would lose/).count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('another visitor, in a tab of their own, sees nothing of it', { tags: ['long'] }, async () => {
  const { page } = await convertSome();
  await waitUntilStored(page);
  const other = await page.context().newPage();
  await openPage(other, '/convert');
  await button(other, 'Choose images').waitFor();
  expect(await tile(other, 'one.jpg').count()).toBe(0);
});

test('several results go to another tool, and Back finds the first tool as it was', {
  tags: ['long'],
}, async () => {
  const { page } = await convertSome();
  await tile(page, 'two.jpg').click();
  await page.getByText('Use all 2 results in', { exact: true }).click();
  await button(page, 'Use all 2 results in Remove backgrounds').click();
  await page.getByRole('heading', { name: 'Remove backgrounds' }).waitFor();
  await tile(page, 'one.png').waitFor();
  await tile(page, 'two.png').waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Convert images' }).waitFor();
  await expectConverted(page);
});

test('a run goes on while another page of the studio is shown', { tags: ['long'] }, async () => {
  const { page } = await visit('/convert');
  await page.getByRole('radio', { name: 'AVIF' }).check();
  await chooseFiles(page, [await createTestPicture()]);
  const release = await delayCodecs(page);
  await button(page, 'Convert 1 image').click();
  await button(page, 'Cancel').waitFor();
  await page.getByRole('link', { name: 'Recent' }).first().click();
  await page.getByText('Nothing here yet.').waitFor();
  release();
  await page.getByText('holiday.avif').waitFor();
  await page.goBack();
  await page.getByRole('status').getByText('1 done').waitFor();
});

test('a run that a reload stopped is offered again, and is not shown as done', {
  tags: ['long'],
}, async () => {
  const { page } = await visit('/convert');
  await page.getByRole('radio', { name: 'AVIF' }).check();
  await chooseFiles(page, [await createTestPicture()]);
  const release = await delayCodecs(page);
  await button(page, 'Convert 1 image').click();
  await button(page, 'Cancel').waitFor();
  await reloadStored(page);
  release();
  await page.getByText('The reload stopped 1 run. Start it again.').waitFor();
  await button(page, 'Convert 1 image').click();
  const [name] = await downloadOnClick(page, () => button(page, 'Download').click());
  expect(name).toBe('holiday.avif');
});

test('strokes of the brush survive a reload, and can be undone after it', { tags: ['long'] }, async () => {
  const { page } = await visit('/remove-bg');
  await chooseFiles(page, [await createBallPicture()]);
  await page.getByRole('radio', { name: 'Brush' }).check();
  await page.getByRole('radio', { name: 'Erase' }).check();
  await paintStroke(page, [0.38, 0.45], [0.5, 0.53], [0.62, 0.62], [0.42, 0.66]);
  await page.getByText('Paint roughly: it finds the edges.').waitFor();
  await reloadStored(page);
  const middle = async () => {
    const [, bytes] = await downloadOnClick(page, () => button(page, 'Download').click());
    return (await decodePixels(bytes)).at(BALL.x, BALL.y)[3];
  };
  expect(await middle()).toBe(0);
  await page.getByRole('radio', { name: 'Brush' }).check();
  await button(page, 'Undo').click();
  expect(await middle()).toBe(255);
});

test('the settings count the files of all tabs, and delete them', { tags: ['long'] }, async () => {
  const { page } = await convertSome();
  await waitUntilStored(page);
  await openPage(page, '/settings');
  await page.getByText(/ in 3 files$/).waitFor();
  await button(page, 'Delete Files in tools').click();
  await page.getByText('Files in tools is deleted.').waitFor();
  await openPage(page, '/convert');
  await button(page, 'Choose images').waitFor();
});

describe('a recent result', { tags: ['long'] }, () => {
  test('is shown large, and goes from there to a tool', async () => {
    const { page, complaints } = await convertSome();
    await openPage(page, '/recent');
    await button(page, 'View two.png').click();
    const dialog = page.getByRole('dialog', { name: 'two.png' });
    await dialog.getByRole('img', { name: 'two.png' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await button(page, 'View two.png').evaluate((each) => each === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Use in Convert images' }).click();
    await tile(page, 'two.png').waitFor();
    expect(complaints).toEqual([]);
  });

  test('passes axe in both themes, list and view', async () => {
    const { page } = await convertSome();
    await openPage(page, '/recent');
    await button(page, 'Delete one.png').click();
    await button(page, 'Undo').waitFor();
    expect(await listViolationsInBothThemes(page)).toEqual([]);
    await button(page, 'View two.png').click();
    await page.getByRole('dialog').getByRole('img').waitFor();
    expect(await listViolationsInBothThemes(page)).toEqual([]);
  });

  test('that cannot be deleted stays, with the reason', async () => {
    const { page } = await convertSome();
    await openPage(page, '/recent');
    await page.evaluate(() => {
      IDBObjectStore.prototype.delete = () => {
        throw new DOMException('', 'UnknownError');
      };
    });
    await button(page, 'Delete one.png').click();
    await page.getByRole('alert').getByText('Could not delete one.png. Try again.').waitFor();
    expect(await button(page, 'View one.png').count()).toBe(1);
  });

  test('comes back by Undo after it was deleted, and is still there after a reload', async () => {
    const { page } = await convertSome();
    await openPage(page, '/recent');
    await button(page, 'Delete one.png').click();
    await page.getByRole('status').getByText('one.png deleted.').waitFor();
    expect(await button(page, 'View one.png').count()).toBe(0);
    await page.keyboard.press('Enter');
    await button(page, 'View one.png').waitFor();
    await button(page, 'Delete all').click();
    await page.getByText('Nothing here yet.').waitFor();
    await button(page, 'Undo').click();
    await button(page, 'View one.png').waitFor();
    await reloadPage(page);
    await button(page, 'View two.png').waitFor();
    const [name, bytes] = await downloadOnClick(page, () => button(page, 'Download one.png').click());
    expect([name, (await decodePixels(bytes)).format]).toEqual(['one.png', 'png']);
  });
});

describe('removed files', { tags: ['long'] }, () => {
  test('come back with their results by Undo, reached without the pointer', async () => {
    const { page } = await convertSome();
    await button(page, 'Remove all').click();
    await page.getByRole('status').getByText('3 files removed.').waitFor();
    await button(page, 'Choose images').waitFor();
    expect(await page.getByRole('radio', { name: 'PNG' }).isChecked()).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByText('2 done, 1 failed').waitFor();
    for (const name of ['two.jpg', 'one.jpg']) {
      await button(page, `Remove ${name}`).click();
      await expect.poll(() => tile(page, name).count()).toBe(0);
    }
    await page.getByRole('status').getByText('one.jpg removed.').waitFor();
    await button(page, 'Undo').click();
    await tile(page, 'one.jpg').waitFor();
    await page.getByRole('status').getByText('two.jpg removed.').waitFor();
    await button(page, 'Undo').click();
    await tile(page, 'two.jpg').click();
    await reloadStored(page);
    await expectConverted(page);
  });

  test('stay away after a reload', async () => {
    const { page } = await convertSome();
    await button(page, 'Remove all').click();
    await button(page, 'Choose images').waitFor();
    await reloadStored(page);
    await button(page, 'Choose images').waitFor();
    expect(await page.evaluate(readStored)).toMatch(/,0\]$/);
  });
});

describe('the session of a tab', () => {
  const tabId = (page: Page) => page.evaluate(() => sessionStorage.getItem('darkroom-tab') ?? '');

  test('waits for a page of it that is left slowly', { tags: ['long'] }, async () => {
    const { page } = await visit('/convert');
    await chooseFiles(page, [await createTestPicture()]);
    await tile(page, 'holiday.jpg').waitFor();
    await waitUntilStored(page);
    const id = await tabId(page);
    const slow = await page.context().newPage();
    await openPage(slow, '/docs');
    await slow.evaluate((name) => {
      const hold = () => new Promise((resolve) => setTimeout(resolve, 3000));
      // Held from the moment at which the other page leaves it.
      void navigator.locks.request(name, hold);
    }, `darkroom-tab-${id}`);
    await openPage(page, '/docs');
    await openPage(page, '/convert');
    await tile(page, 'holiday.jpg').waitFor();
    expect(await tabId(page)).toBe(id);
  });

  test('is another one in a duplicate of the tab', { tags: ['long'] }, async () => {
    const { page } = await visit('/convert');
    await chooseFiles(page, [await createTestPicture()]);
    await tile(page, 'holiday.jpg').waitFor();
    await waitUntilStored(page);
    const id = await tabId(page);
    const duplicate = await page.context().newPage();
    await duplicate.addInitScript((copied) => {
      if (!sessionStorage.getItem('darkroom-tab')) sessionStorage.setItem('darkroom-tab', copied);
    }, id);
    await openPage(duplicate, '/convert');
    await expect.poll(() => tabId(duplicate)).not.toBe(id);
    expect(await tile(duplicate, 'holiday.jpg').count()).toBe(0);
    expect(await tabId(page)).toBe(id);
  });
});
