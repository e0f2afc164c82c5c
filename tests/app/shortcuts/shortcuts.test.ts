import { afterEach, expect, test } from 'vitest';
import {
  isSingleKey,
  type KeyPress,
  listedShortcuts,
  removeShortcuts,
  setShortcuts,
  shortcutFor,
  splitKeys,
} from '../../../app/studio/shortcuts/shortcuts.ts';

const run = () => {};
const listed = () =>
  listedShortcuts.get().map(({ title, shortcuts }) => [title, shortcuts.map(({ does }) => does)]);

afterEach(() => {
  for (const id of ['one', 'other']) removeShortcuts(id);
});

function press(key: string, ...held: ('ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey')[]): KeyPress {
  const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  return { key, ...none, ...Object.fromEntries(held.map((modifier) => [modifier, true])) };
}

function getDoes(...keys: string[]) {
  setShortcuts('one', { title: 'One', shortcuts: [{ keys, does: 'It', run }] });
  return (pressed: KeyPress) => shortcutFor(pressed)?.does;
}

test('a combination is pressed with its modifiers alone, with Control or Command', () => {
  const find = getDoes('Mod+Z');
  expect(find(press('z', 'ctrlKey'))).toBe('It');
  expect(find(press('z', 'metaKey'))).toBe('It');
  expect(find(press('z'))).toBeUndefined();
  expect(find(press('Z', 'ctrlKey', 'shiftKey'))).toBeUndefined();
  expect(getDoes('Mod+Shift+Z')(press('Z', 'ctrlKey', 'shiftKey'))).toBe('It');
  expect(getDoes('V')(press('v', 'altKey'))).toBeUndefined();
});

test('a sign is found with or without Shift, since keyboards differ', () => {
  expect(getDoes('?')(press('?', 'shiftKey'))).toBe('It');
  expect(getDoes('+')(press('+'))).toBe('It');
  expect(getDoes('Mod++')(press('+', 'ctrlKey', 'shiftKey'))).toBe('It');
});

test('plus is a key as well as the joint of a combination', () => {
  expect(splitKeys('+')).toEqual(['+']);
  expect(splitKeys('Mod++')).toEqual(['Mod', '+']);
  expect(splitKeys('Mod+Shift+Z')).toEqual(['Mod', 'Shift', 'Z']);
  expect([isSingleKey('+'), isSingleKey('Mod+V'), isSingleKey('Home')]).toEqual([true, false, false]);
});

test('of two components with the same key, the later one gets it until it leaves', () => {
  setShortcuts('one', { title: 'Files', shortcuts: [{ keys: ['N'], does: 'First', run }] });
  setShortcuts('other', { title: 'Files', shortcuts: [{ keys: ['N'], does: 'Second', run }] });
  expect(shortcutFor(press('n'))?.does).toBe('Second');
  removeShortcuts('other');
  expect(shortcutFor(press('n'))?.does).toBe('First');
});

test('keys that an element handles itself are listed, under the heading that components share', () => {
  setShortcuts('one', { title: 'Files', shortcuts: [{ keys: ['N'], does: 'First', run }] });
  setShortcuts('other', { title: 'Files', shortcuts: [{ keys: ['K'], does: 'Second' }] });
  expect(listed()).toEqual([['Files', ['First', 'Second']]]);
  expect(shortcutFor(press('k'))).toBeUndefined();
});

test('the list tells of groups that come, change their words and go, and not of each render', () => {
  const told: unknown[] = [];
  const leave = listedShortcuts.subscribe(() => told.push(listed()));
  const register = (does: string) =>
    setShortcuts('one', { title: 'Files', shortcuts: [{ keys: ['N'], does, run: () => {} }] });
  register('First');
  register('First');
  register('Other');
  removeShortcuts('one');
  leave();
  expect(told).toEqual([[['Files', ['First']]], [['Files', ['Other']]], []]);
});

test('a key runs what its component gave last, though the list said the same before', () => {
  let ran = '';
  for (const name of ['earlier', 'later']) {
    const shortcut = { keys: ['N'], does: 'Show the next', run: () => (ran = name) };
    setShortcuts('one', { title: 'Files', shortcuts: [shortcut] });
  }
  shortcutFor(press('n'))?.run?.();
  expect(ran).toBe('later');
});
