import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { seal, unseal } from '../../../../server/base/secrets/sealing.ts';

const [key, other] = [randomBytes(32), randomBytes(32)];
const secret = Buffer.from('whsec_something that signs');

describe('a sealed secret', () => {
  it('opens with its key, also when that is no longer the first', () => {
    const sealed = seal([key], secret, 'webhooks of a');
    expect(sealed.toString()).toMatch(/^sealed:v1:[0-9a-f]{8}:[A-Za-z0-9+/]+=*$/);
    expect(sealed.includes(secret)).toBe(false);
    expect(unseal([key], sealed, 'webhooks of a')).toEqual(secret);
    expect(unseal([other, key], sealed, 'webhooks of a')).toEqual(secret);
  });

  it('is another text each time', () => {
    expect(seal([key], secret, 'a').equals(seal([key], secret, 'a'))).toBe(false);
  });

  it.each([
    ['without a key', [], 'SECRETS_KEY: is not set, but the secret "a" was encrypted with the key'],
    ['with another key', [other], 'SECRETS_KEY: does not contain it, but the secret "a" was encrypted'],
  ])('names the missing key %s', (_, keys, message) => {
    expect(() => unseal(keys, seal([key], secret, 'a'), 'a')).toThrow(message);
  });

  it('does not open in the place of another secret, nor changed', () => {
    const sealed = seal([key], secret, 'webhooks of a');
    expect(() => unseal([key], sealed, 'webhooks of b')).toThrow('is damaged, or belongs to another one');
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.at(-6) === 65 ? 66 : 65, changed.length - 6);
    expect(() => unseal([key], changed, 'webhooks of a')).toThrow('is damaged');
    expect(() => unseal([key], sealed.subarray(0, 25), 'webhooks of a')).toThrow('is damaged');
  });
});

describe('a secret from before there was a key', () => {
  it('stays as it is without a key, and is read with one', () => {
    expect(seal([], secret, 'a')).toEqual(secret);
    expect(unseal([key], secret, 'a')).toEqual(secret);
  });
});
