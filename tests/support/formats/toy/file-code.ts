import type { ImageFileCode } from '../../../../models/media/image/image-format.ts';

export const toyFileCode: ImageFileCode = {
  async readSize(bytes) {
    const view = await bytes.read(4, 2);
    return { width: view.getUint8(0), height: view.getUint8(1) };
  },
};
