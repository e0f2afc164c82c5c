import {
  ArrowDown,
  ArrowDownLeft,
  ArrowDownRight,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  ArrowUpLeft,
  ArrowUpRight,
  Dot,
  ScanEye,
} from 'lucide-react';
import { findTarget } from '../../../models/media/image/find-format.ts';
import type { ParamValues } from '../tools/fields.ts';
import type { FieldWording } from '../tools/wording.ts';
import { FIT_ICONS } from './fit-icons.ts';

const FITS: Readonly<Record<string, string>> = {
  '': 'The whole image, as large as fits.',
  inside: 'The whole image, as large as fits.',
  cover: 'Fills the size. What is beyond is cut off.',
  contain: 'The whole image, with space around it up to the size.',
  fill: 'Exactly this size. The shape changes.',
};

/** Positions row by row, as on a map. */
const POSITIONS = {
  northwest: ['Upper left', ArrowUpLeft],
  north: ['Top', ArrowUp],
  northeast: ['Upper right', ArrowUpRight],
  west: ['Left', ArrowLeft],
  '': ['Centre', Dot],
  east: ['Right', ArrowRight],
  southwest: ['Lower left', ArrowDownLeft],
  south: ['Bottom', ArrowDown],
  southeast: ['Lower right', ArrowDownRight],
  attention: ['What draws the eye', ScanEye],
} as const;

const POSITION_ENTRIES = Object.entries(POSITIONS);

const hasBothSides = ({ width, height }: ParamValues): boolean => width !== undefined && height !== undefined;
const hasSide = ({ width, height }: ParamValues): boolean => width !== undefined || height !== undefined;
const hasFit = (values: ParamValues, ...fits: readonly string[]): boolean =>
  hasBothSides(values) && fits.includes(String(values.fit));
const getHolds = ({ to_format }: ParamValues) => findTarget(String(to_format))?.holds;

/** Texts of the fields that change the geometry of an image. */
export const GEOMETRY_WORDING: Readonly<Record<string, FieldWording>> = {
  crop: { label: 'Cropped', explain: () => 'Part of the upright image, in pixels. It comes first.' },
  rotate: {
    label: 'Rotate',
    choices: { '': '0°', 90: '90°', 180: '180°', 270: '270°' },
    explain: ({ rotate }) => (rotate === undefined ? '' : 'Clockwise.'),
  },
  flip: {
    label: 'Flip',
    choices: { '': 'No', horizontal: 'Left to right', vertical: 'Top to bottom' },
    explain: ({ flip }) => (flip === undefined ? '' : 'After the rotation.'),
  },
  width: {
    label: 'Width',
    explain: ({ width, height }) =>
      width !== undefined || height === undefined ? '' : 'Follows the height.',
  },
  height: {
    label: 'Height',
    explain: ({ width, height }) => (height !== undefined || width === undefined ? '' : 'Follows the width.'),
  },
  fit: {
    label: 'Fit',
    choices: { '': 'Inside', cover: 'Cover', contain: 'Contain', fill: 'Stretch' },
    icons: FIT_ICONS,
    isRelevant: hasBothSides,
    explain: ({ fit }) => FITS[String(fit ?? '')] ?? '',
  },
  gravity: {
    label: 'Position',
    choices: Object.fromEntries(POSITION_ENTRIES.map(([value, [name]]) => [value, name])),
    icons: Object.fromEntries(POSITION_ENTRIES.map(([value, [, icon]]) => [value, icon])),
    isMap: true,
    isRelevant: (values) => hasFit(values, 'cover', 'contain'),
    explain: ({ fit, gravity }) => {
      if (gravity === 'attention')
        return fit === 'cover' ? 'Keeps what draws the eye.' : 'Only for Cover. Choose a side here.';
      return fit === 'cover' ? 'The part that stays.' : 'Where the image stands.';
    },
  },
  pad_color: {
    label: 'Space around',
    isColour: true,
    isRelevant: (values) => hasFit(values, 'contain'),
    explain: (values) =>
      values.pad_color === undefined
        ? getHolds(values)?.alpha
          ? 'Transparent. Or a CSS colour, such as #fff.'
          : 'White. Or a CSS colour, such as #f4f0e8.'
        : 'The colour around the image.',
  },
  background: {
    label: 'Background',
    isColour: true,
    explain: (values) =>
      values.background === undefined
        ? getHolds(values)?.alpha
          ? 'Transparent pixels stay transparent.'
          : 'Transparent pixels become white.'
        : 'The colour under transparent pixels.',
  },
  enlarge: {
    label: 'Enlarge small images',
    isRelevant: hasSide,
    explain: ({ enlarge }) => (enlarge ? 'Gets softer. Upscale adds detail.' : ''),
  },
  max_bytes: {
    label: 'Largest file',
    unit: { name: 'kB', size: 1000 },
    isRelevant: ({ to_format }) => findTarget(String(to_format))?.isLossy === true,
    explain: ({ max_bytes }) => (max_bytes === undefined ? '' : 'The best quality that fits.'),
  },
  dpi: {
    label: 'Print resolution',
    unit: { name: 'dpi', size: 1 },
    isRelevant: (values) =>
      getHolds(values)?.metadata.some((kind) => kind === 'exif' || kind === 'resolution') === true,
    explain: ({ dpi }) => (dpi === undefined ? 'Not in the file.' : 'Pixels per inch, for print.'),
  },
  output_name: {
    label: 'File name',
    explain: () => 'May hold {name}, {width} and {height}. Without ending.',
  },
};
