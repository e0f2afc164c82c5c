import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LocalEntry } from '../../../app/ui/local-entry.ts';

const stored = new Map<string, string>();
let hasRoom = true;
const storage = {
  getItem: (name: string) => stored.get(name) ?? null,
  removeItem: (name: string) => stored.delete(name),
  setItem(name: string, value: string) {
    if (!hasRoom) throw new DOMException('There is no room.', 'QuotaExceededError');
    stored.set(name, value);
  },
};
beforeEach(() => {
  stored.clear();
  hasRoom = true;
  vi.stubGlobal('localStorage', storage);
});
afterEach(() => vi.unstubAllGlobals());

test('a value that the browser has no room for holds on this page', () => {
  const entry = new LocalEntry('choice');
  entry.save('no');
  hasRoom = false;
  entry.save('yes');
  expect(entry.get()).toBe('yes');
  expect(stored.get('choice')).toBe('no');
  expect(() => entry.set('yes')).toThrow('no room');
});

test('a value that is stored later replaces the one of this page', () => {
  const entry = new LocalEntry('choice');
  hasRoom = false;
  entry.save('yes');
  hasRoom = true;
  entry.set(null);
  expect(entry.get()).toBeNull();
  entry.save('no');
  expect([entry.get(), new LocalEntry('choice').get()]).toEqual(['no', 'no']);
});

test('a browser that forbids storage keeps a value for this page', () => {
  const forbid = () => {
    throw new DOMException('Storage is forbidden.', 'SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem: forbid, setItem: forbid, removeItem: forbid });
  const entry = new LocalEntry('choice');
  expect(entry.get()).toBeNull();
  entry.save('yes');
  expect(entry.get()).toBe('yes');
});
