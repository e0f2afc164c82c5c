import { OperationError } from '../../../models/core/operation/errors.ts';

/**
 * Image or recording that a visitor can try a tool with, and the product's own result for it
 * (lab/assets/samples.ts).
 */
export interface Sample {
  readonly url: string;
  readonly mediaType: string;
  readonly resultUrl: string;
  /** The sample and its result in the size that pages show. Both have the same size. */
  readonly preview: Preview;
  readonly resultPreview: Preview;
  readonly alt: string;
}

/** The name ends with the width as well: such images come with the home page (app/offline/build-files.ts). */
export interface Preview {
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

/** From BuddiesOfBudgie/budgie-backgrounds (backgrounds/kitten-on-lawn.jpg), under CC0 1.0. */
export const KITTEN: Sample = {
  url: '/samples/kitten.jpg',
  mediaType: 'image/jpeg',
  resultUrl: '/samples/kitten.avif',
  preview: { url: '/samples/kitten-800.avif', width: 800, height: 542 },
  resultPreview: { url: '/samples/kitten-result-800.avif', width: 800, height: 542 },
  alt: 'A tabby kitten among daisies',
};

/** From BuddiesOfBudgie/budgie-backgrounds (part of backgrounds/oakland-zoo-otters.jpg), under CC0 1.0. */
export const OTTER: Sample = {
  url: '/samples/otter.jpg',
  mediaType: 'image/jpeg',
  resultUrl: '/samples/otter-cutout.webp',
  preview: { url: '/samples/otter-1200.avif', width: 1200, height: 800 },
  resultPreview: { url: '/samples/otter-result-1200.avif', width: 1200, height: 800 },
  alt: 'An otter on the bank of a pool',
};

/** From the pymatting project (github.com/pymatting/pymatting, data/lemur/lemur.png), under the MIT licence. */
export const LEMUR: Sample = {
  url: '/samples/lemur.jpg',
  mediaType: 'image/jpeg',
  resultUrl: '/samples/lemur-cutout.webp',
  preview: { url: '/samples/lemur-680.avif', width: 680, height: 440 },
  resultPreview: { url: '/samples/lemur-result-680.avif', width: 680, height: 440 },
  alt: 'A black and white lemur on a tree stump',
};

/** Lemur at half the size, for the upscaler. Its preview is an ordinary enlargement. */
export const LEMUR_SMALL: Sample = {
  url: '/samples/lemur-small.jpg',
  mediaType: 'image/jpeg',
  resultUrl: '/samples/lemur-upscaled.webp',
  preview: { url: '/samples/lemur-small-680.avif', width: 680, height: 440 },
  resultPreview: { url: '/samples/lemur-upscaled-680.avif', width: 680, height: 440 },
  alt: 'A small image of a lemur on a tree stump',
};

/** Kitten again, for the extender. Its preview has the canvas of the result. */
export const KITTEN_ROOM: Sample = {
  url: '/samples/kitten.jpg',
  mediaType: 'image/jpeg',
  resultUrl: '/samples/kitten-extended.webp',
  preview: { url: '/samples/kitten-room-800.avif', width: 800, height: 476 },
  resultPreview: { url: '/samples/kitten-extended-800.avif', width: 800, height: 476 },
  alt: 'A tabby kitten among daisies, with room around it',
};

/**
 * From Picovoice/falcon (resources/audio_samples/test.wav), under the Apache-2.0 licence. The previews are its
 * waveform, and the same in the colours of its speakers.
 */
export const CONVERSATION: Sample = {
  url: '/samples/conversation.wav',
  mediaType: 'audio/wav',
  resultUrl: '/samples/conversation.json',
  preview: { url: '/samples/conversation-680.avif', width: 680, height: 440 },
  resultPreview: { url: '/samples/conversation-result-680.avif', width: 680, height: 440 },
  alt: 'Waveform of a conversation',
};

/**
 * Part of Sodium by EVR, under CC0 1.0 (its stems, mixed and cut). The previews are its waveform, and those of its
 * stems in their colours.
 */
export const SONG: Sample = {
  url: '/samples/song.mp3',
  mediaType: 'audio/mpeg',
  resultUrl: '/samples/song-vocals.mp3',
  preview: { url: '/samples/song-680.avif', width: 680, height: 440 },
  resultPreview: { url: '/samples/song-result-680.avif', width: 680, height: 440 },
  alt: 'Waveform of a song',
};

/**
 * Fetches a sample.
 * @throws OperationError `unavailable` when the server sends another response, or none
 */
export async function fetchSample({ url, mediaType }: Sample): Promise<File> {
  const response = await fetch(url).catch(() => null);
  if (!response?.ok) {
    throw new OperationError(
      'unavailable',
      'The sample could not be loaded. Check your connection and try again.',
    );
  }
  return new File([await response.blob()], url.slice(url.lastIndexOf('/') + 1), { type: mediaType });
}
