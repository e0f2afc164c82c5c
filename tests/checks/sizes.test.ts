import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const ROOMS = ['app', 'clients', 'drizzle', 'models', 'scripts', 'server', 'tests', 'training', 'workers'];

const SOURCES_MAX = 25;
const LINES_MAX = 300;
const COMMENT_MAX = 120;

/** Sources that people write, by path, with their lines. */
const sources = new Map<string, readonly string[]>();
for (const room of ROOMS) {
  for (const name of readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })) {
    if (!/\.(tsx?|css|py)$/.test(name) || /(^|\/)(\.|dist\/|node_modules\/)/.test(name)) continue;
    const text = readFileSync(join(ROOT, room, name), 'utf8');
    const isGenerated = /^\W*(Written|Generated) by/i.test(text);
    if (!isGenerated) sources.set(`${room}/${name}`, text.split('\n'));
  }
}

it('no folder has more sources than one sees at a glance', () => {
  expect(sources.size).toBeGreaterThan(2500);
  const counts = new Map<string, number>();
  for (const path of sources.keys()) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > SOURCES_MAX)).toEqual([]);
});

it('no source has more lines than are read at once', () => {
  const long = [...sources].filter(([, lines]) => lines.length - 1 > LINES_MAX);
  expect(long.map(([path, lines]) => `${path}: ${lines.length - 1} lines`)).toEqual([]);
});

it('comments wrap', () => {
  const wide = [...sources].flatMap(([path, lines]) =>
    lines.flatMap((line, at) =>
      line.length > COMMENT_MAX && /^\s*(\/\/|\/?\*|#)/.test(line) ? [`${path}:${at + 1}`] : [],
    ),
  );
  expect(wide).toEqual([]);
});
