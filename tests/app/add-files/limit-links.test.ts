import { expect, test } from 'vitest';
import { LINKS_MAX, limitLinks, parseLinks } from '../../../app/studio/add-files/links.ts';

test('of many links as many are fetched as the server takes, and the others are named', () => {
  const text = Array.from({ length: 60 }, (_, at) => `https://example.com/${at}.png`).join('\n');
  const { links, problem } = limitLinks(parseLinks(text));
  expect(links).toHaveLength(LINKS_MAX);
  expect(problem).toMatch(/At most 20 links/);
  expect(limitLinks(links)).toEqual({ links });
});
