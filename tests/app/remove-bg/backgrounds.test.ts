import { expect, test } from 'vitest';
import { backgroundBehind, WHITE } from '../../../app/studio/remove-bg/backgrounds.ts';

const SLATE = { kind: 'css', background: '#4a5058' } as const;

test('the canvas of a shop is white, whatever the background was', () => {
  expect(backgroundBehind(SLATE, { size: 'marketplace' })).toBe(WHITE);
  expect(backgroundBehind({ kind: 'blurred' }, { size: 'marketplace' })).toBe(WHITE);
});

test('another canvas, and another setting of the same, leave the background', () => {
  expect(backgroundBehind(SLATE, { size: 'square' })).toBe(SLATE);
  expect(backgroundBehind(SLATE, { margin: 0.2 })).toBe(SLATE);
});
