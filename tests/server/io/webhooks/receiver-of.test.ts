import { expect, test } from 'vitest';
import { findReceiverDomain } from '../../../../server/io/webhooks/queue-attempt.ts';

test.each([
  ['https://hooks.example.com/x', 'example.com'],
  ['https://a.b.example.co.uk:8443/', 'example.co.uk'],
  ['http://EXAMPLE.com./', 'example.com'],
  // Customers of one hosting platform are no neighbours.
  ['https://one.github.io/hook', 'one.github.io'],
  ['https://a.one.github.io/hook', 'one.github.io'],
  ['http://127.0.0.1:9000/', '127.0.0.1'],
  ['http://[::1]:9000/', '[::1]'],
  ['http://localhost:3000/', 'localhost'],
  ['http://receiver/', 'receiver'],
])('the receiver of %s counts as %s', (url, receiver) => {
  expect(findReceiverDomain(url)).toBe(receiver);
});
