import { expect, test } from 'vitest';
import { categoriesFor } from '../../../app/studio/moderate/models.ts';
import { listColumns, sortForReview, verdictsCsv } from '../../../app/studio/moderate/verdict.ts';
import type { BatchItem } from '../../../app/studio/runs/batch.ts';
import type { Category, Severity } from '../../../models/moderation/categories.ts';

let id = 0;

function judged(name: string, severities?: Partial<Record<Category, Severity>>): BatchItem {
  const categories = Object.entries(severities ?? {}).map(([category, severity]) => ({ category, severity }));
  return {
    id: id++,
    file: new File([], name),
    state: severities
      ? { phase: 'done', durationSeconds: 1, result: { files: [], warnings: [], details: { categories } } }
      : { phase: 'failed', message: 'damaged', code: 'unprocessable' },
  };
}

const ON_DEVICE = categoriesFor({ model: 'bundled' }, 'device');

test('a table has the columns that its images were checked for, and those of the next run', () => {
  const own = judged('a.jpg', { Sexual: 0 });
  expect(listColumns([own, judged('b.jpg')], ON_DEVICE)).toEqual(['Sexual']);
  const paid = judged('c.jpg', { Violence: 4, Sexual: 0, Hate: 0, SelfHarm: 0 });
  expect(listColumns([own, paid], ON_DEVICE)).toEqual(['Sexual', 'Violence', 'Hate', 'SelfHarm']);
  expect(listColumns([own], categoriesFor({ model: 'bundled' }, 'server'))).toHaveLength(4);
  expect(listColumns([own], categoriesFor({ model: 'wide' }, 'device'))).toHaveLength(4);
});

test('flagged images come first, the most severe ahead, and the others keep their order', () => {
  const items = [
    judged('safe.jpg', { Sexual: 0 }),
    judged('broken.jpg'),
    judged('low.jpg', { Sexual: 2 }),
    judged('high.jpg', { Sexual: 6 }),
  ];
  const names = (threshold: 2 | 4) => sortForReview(items, threshold).map(({ file }) => file.name);
  expect(names(2)).toEqual(['high.jpg', 'low.jpg', 'safe.jpg', 'broken.jpg']);
  expect(names(4)).toEqual(['high.jpg', 'safe.jpg', 'broken.jpg', 'low.jpg']);
});

test('the table as CSV has no made-up severity, and no name that is a formula', () => {
  const items = [
    judged('=1+2.jpg', { Sexual: 4, Violence: 0 }),
    judged('a, b.jpg', { Sexual: 2 }),
    judged('c.jpg'),
  ];
  expect(verdictsCsv(items, ['Sexual', 'Violence'], 4).split('\r\n')).toEqual([
    'file,verdict,Sexual,Violence',
    "'=1+2.jpg,Flagged,4,0",
    '"a, b.jpg",Not flagged,2,',
    'c.jpg,Not checked,,',
    '',
  ]);
});
