import { afterEach, expect, it, vi } from 'vitest';
import { canShareMemory } from '../../workers/runtime/shared-memory.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

it('threads share memory on an isolated page alone', () => {
  vi.stubGlobal('crossOriginIsolated', false);
  expect(canShareMemory()).toBe(false);
  vi.stubGlobal('crossOriginIsolated', true);
  expect(canShareMemory()).toBe(true);
});

it('threads share no memory in a browser that cannot send it, though it calls the page isolated', () => {
  vi.stubGlobal('crossOriginIsolated', true);
  const port1 = {
    postMessage() {
      throw new DOMException('The object can not be cloned.', 'DataCloneError');
    },
    close() {},
  };
  vi.stubGlobal('MessageChannel', function MessageChannel() {
    return { port1 };
  });
  expect(canShareMemory()).toBe(false);
});
