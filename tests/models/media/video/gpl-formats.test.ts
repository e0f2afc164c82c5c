import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Operation } from '../../../../models/core/operation/define-operation.ts';
import { assertNoGplFormat, withoutGplFormats } from '../../../../models/media/image/gpl-formats.ts';
import { OPERATIONS } from '../../../../models/registry.ts';

const convert = OPERATIONS['media-convert-image'];
const removeBg = OPERATIONS['remove-bg'];

describe('without GPL encoders', () => {
  it('heic is rejected, naming the available formats', () => {
    expect(() => assertNoGplFormat(convert, { to_format: 'heic' }, ['image'])).toThrow(
      'to_format: heic needs a GPL encoder, which this service leaves out. Choose jpg, jpeg, png, webp, avif, tiff, gif, bmp.',
    );
  });

  it.each(['mp4', undefined])('a video as %s is rejected: mp4 is the default', (output_format) => {
    expect(() => assertNoGplFormat(removeBg, { output_format }, ['video'])).toThrow(
      'output_format: mp4 needs a GPL encoder, which this service leaves out. Choose webm.',
    );
  });

  const to_format = z.enum(['png', 'heic', 'webm', 'webp']);
  it.each([to_format.optional(), to_format.default('heic'), to_format.prefault('heic').optional()])(
    'the available formats are found in any optional param',
    (field) => {
      const params = z.strictObject({ to_format: field });
      expect(() => assertNoGplFormat({ params }, { to_format: 'heic' }, ['image'])).toThrow(
        / Choose png, webp\.$/,
      );
    },
  );

  it('a format for another type of input is left to the operation', () => {
    assertNoGplFormat(removeBg, { output_format: 'mp4' }, ['image']);
  });

  it('the described params leave out heic and mp4, and say why', () => {
    const described = (params: Operation['params']) =>
      z.toJSONSchema(withoutGplFormats(params), { io: 'input' });
    expect(described(convert.params)).toMatchObject({
      required: ['to_format'],
      properties: {
        to_format: {
          enum: ['jpg', 'jpeg', 'png', 'webp', 'avif', 'tiff', 'gif', 'bmp'],
          description: expect.stringMatching(/^Target format.* has no GPL encoder, which heic would need\.$/),
        },
      },
    });
    const { required = [], properties } = described(removeBg.params);
    expect(required).not.toContain('output_format');
    expect(properties?.output_format).toMatchObject({ enum: ['png', 'jpeg', 'webp', 'webm'] });
  });

  it('everything else is accepted', () => {
    assertNoGplFormat(convert, { to_format: 'avif' }, ['image']);
    assertNoGplFormat(removeBg, {}, ['image']);
    assertNoGplFormat(removeBg, { output_format: 'webm' }, ['video']);
  });
});
