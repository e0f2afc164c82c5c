import type { ParamValues } from '../tools/fields.ts';
import type { FieldWording } from '../tools/wording.ts';
import { encoderHas } from './device-fields.ts';

const FITS: Readonly<Record<string, string>> = {
  inside: 'As large as fits, in its own shape.',
  cover: 'Fills the size in its own shape. What is beyond is cut off, around the middle.',
  stretch: 'Exactly this size. The shape changes.',
};

const EFFORTS: Readonly<Record<string, string>> = {
  auto: 'A good size in little time.',
  fast: 'Quickly written, and larger.',
  balanced: 'Smaller, but several times slower.',
  smallest: 'As small as possible. A large photo can take minutes.',
};

const hasBothSides = ({ resize, width, height }: ParamValues): boolean =>
  resize === 'pixels' && width !== undefined && height !== undefined;

/** Texts of the fields that only a run on this device has. */
export const DEVICE_WORDING: Readonly<Record<string, FieldWording>> = {
  turn: {
    label: 'Rotate',
    choices: { 0: '0°', 1: '90°', 2: '180°', 3: '270°' },
    explain: ({ turn }) => (Number(turn) === 0 ? 'Not rotated.' : 'Clockwise.'),
  },
  mirror: {
    label: 'Flip',
    explain: ({ mirror }) => (mirror ? 'Left and right change places, after the rotation.' : 'Not flipped.'),
  },
  resize: {
    label: 'Size',
    choices: { none: 'Original', percent: 'Percent', pixels: 'Pixels' },
    explain: ({ resize }) => {
      if (resize === 'percent') return 'Of the original width and height.';
      return resize === 'pixels' ? 'Give one side, or both.' : 'Every pixel stays.';
    },
  },
  percent: {
    label: 'Percent',
    isRelevant: ({ resize }) => resize === 'percent',
    explain: ({ percent }) =>
      Number(percent) > 100 ? 'An enlarged image is softer. It gains no detail.' : 'Both sides.',
  },
  width: {
    label: 'Width',
    isRelevant: ({ resize }) => resize === 'pixels',
    explain: ({ width }) => (width === undefined ? 'Calculated from the height.' : 'In pixels.'),
  },
  height: {
    label: 'Height',
    isRelevant: ({ resize }) => resize === 'pixels',
    explain: ({ height }) => (height === undefined ? 'Calculated from the width.' : 'In pixels.'),
  },
  fit: {
    label: 'Fit',
    choices: { inside: 'Inside', cover: 'Fill', stretch: 'Stretch' },
    isRelevant: hasBothSides,
    explain: ({ fit }) => FITS[String(fit)] ?? '',
  },
  lossless: {
    label: 'Lossless',
    isRelevant: (values) => encoderHas('lossless', values),
    explain: ({ lossless }) =>
      lossless ? 'Keeps every pixel. Often as large as a PNG.' : 'Quality decides what is kept.',
  },
  chroma: {
    label: 'Colour detail',
    choices: { auto: 'Automatic', '4:4:4': '4:4:4', '4:2:0': '4:2:0' },
    isRelevant: (values) => encoderHas('chroma', values),
    explain: ({ chroma }) => {
      if (chroma === '4:4:4') return 'Full: red text and thin coloured lines stay sharp.';
      return chroma === '4:2:0' ? 'Half: smaller, and enough for photos.' : 'As the encoder chooses.';
    },
  },
  effort: {
    label: 'Effort',
    choices: { auto: 'Automatic', fast: 'Fast', balanced: 'Balanced', smallest: 'Smallest' },
    isRelevant: (values) => encoderHas('effort', values),
    explain: ({ effort }) => EFFORTS[String(effort)] ?? '',
  },
  progressive: {
    label: 'Progressive',
    isRelevant: (values) => encoderHas('progressive', values),
    explain: ({ progressive }) =>
      progressive ? 'Shows coarsely at first, then sharper while it loads.' : 'Loads from top to bottom.',
  },
  colours: {
    label: 'Colours',
    choices: { auto: 'Automatic', 256: '256', 16: '16', 4: '4', 2: '2' },
    isRelevant: (values) => encoderHas('colours', values),
    explain: ({ colours, to_format }) => {
      if (colours !== 'auto') return 'A palette of this many colours. Small for drawings, poor for photos.';
      return to_format === 'gif' ? '256, the most that a GIF can have.' : 'All of them.';
    },
  },
};
