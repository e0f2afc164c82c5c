import { expect, test } from 'vitest';
import { mediaOfName } from '../../clients/typescript/src/node.ts';
import { listFormats } from '../../models/media/image/find-format.ts';

test.each(listFormats().flatMap(({ extensions }) => extensions))(
  'the client knows by its name that a .%s is an image',
  (extension) => {
    expect(mediaOfName(`a.${extension}`)).toBe('image');
  },
);
