import { describe, expect, it } from 'vitest';
import {
  deletableUrls,
  isReady,
  missingFiles,
  type OfflineBuild,
  sentBytesOf,
  storedBytes,
} from '../../../app/offline/offline-build.ts';

const file = (url: string, bytes: number) => ({ url, bytes, sentBytes: bytes / 4 });

const BUILD: OfflineBuild = {
  id: 'one',
  pages: ['/', '/convert', '/remove-bg'],
  files: [file('/font', 40), file('/script', 80), file('/codec', 400), file('/model', 1000)],
  renamed: {},
  parts: [
    { id: 'home', title: 'Home', urls: ['/', '/font'] },
    { id: 'convert', title: 'Convert', urls: ['/convert', '/font', '/script', '/codec'] },
    { id: 'remove-bg', title: 'Remove', urls: ['/remove-bg', '/font', '/script', '/model'] },
  ],
};
const [HOME, CONVERT, REMOVE] = BUILD.parts as [
  (typeof BUILD.parts)[0],
  (typeof BUILD.parts)[0],
  (typeof BUILD.parts)[0],
];

describe('the build for offline use', () => {
  it('is ready part by part, once page and files are cached', () => {
    expect(isReady(HOME, new Set(['/', '/font']))).toBe(true);
    expect(isReady(HOME, new Set(['/font']))).toBe(false);
  });

  it('counts a file that parts share once, and continues with what is missing', () => {
    const missing = missingFiles(BUILD, BUILD.parts, new Set(['/', '/font', '/codec']));
    expect(missing.map(({ url }) => url)).toEqual(['/script', '/model', '/convert', '/remove-bg']);
    expect(sentBytesOf(missing)).toBe(270);
  });

  it('deletes nothing that the home page or another complete tool needs', () => {
    const cached = new Set(['/', '/font', '/convert', '/script', '/codec', '/remove-bg', '/model']);
    expect(deletableUrls(BUILD, CONVERT, cached)).toEqual(['/convert', '/codec']);
    cached.delete('/model');
    expect(deletableUrls(BUILD, CONVERT, cached)).toEqual(['/convert', '/script', '/codec']);
    expect(deletableUrls(BUILD, REMOVE, new Set(['/font']))).toEqual([]);
  });

  it('adds up what is stored', () => {
    expect(storedBytes(BUILD, ['/', '/font', '/codec', '/unknown'])).toBe(440);
  });
});
