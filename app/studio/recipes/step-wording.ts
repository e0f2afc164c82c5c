import { CONVERT_WORDING } from '../convert/wording.ts';
import { CATEGORY_NAMES, SEVERITY_NAMES } from '../moderate/verdict.ts';
import type { Field } from '../tools/fields.ts';
import type { FieldWording, Wording } from '../tools/wording.ts';

/** Words for one operation's fields. */
interface StepWords {
  /** Fields that are shown first; the others are folded. */
  readonly main: readonly string[];
  readonly fields: Readonly<Record<string, FieldWording>>;
}

const silent = () => '';

const OUTPUT_FORMAT: FieldWording = {
  label: 'Format',
  choices: { '': 'Automatic', png: 'PNG', jpeg: 'JPG', webp: 'WebP', mp4: 'MP4', webm: 'WebM' },
  explain: ({ output_format: format }) => {
    if (format === undefined) return 'PNG, or MP4 for videos.';
    return format === 'jpeg' ? 'Transparent parts become white.' : '';
  },
};

/** Words by the short names of the operations. */
const WORDS: Readonly<Record<string, StepWords>> = {
  convert: {
    main: ['to_format', 'quality', 'width', 'height', 'fit', 'gravity', 'pad_color', 'enlarge'],
    fields: CONVERT_WORDING.fields,
  },
  'remove-bg': {
    main: ['background', 'size', 'output_format'],
    fields: {
      background: {
        label: 'Background',
        explain: () => 'transparent, a colour such as #fff, or the link of an image.',
      },
      size: { label: 'Canvas', explain: () => 'Such as 2000x2000, square, 4:5 or passport. Images only.' },
      output_format: OUTPUT_FORMAT,
      subject: { label: 'Subject', choices: { all: 'All', primary: 'Largest' }, explain: silent },
      margin: { label: 'Space around', explain: () => '0.1 is a tenth of the shorter side.' },
      shadow: {
        label: 'Shadow',
        choices: { none: 'None', soft: 'Soft', contact: 'Contact' },
        explain: silent,
      },
      shadow_strength: {
        label: 'Strength',
        isRelevant: ({ shadow }) => shadow !== 'none',
        explain: silent,
      },
    },
  },
  moderate: {
    main: ['categories', 'severity_threshold'],
    fields: {
      categories: {
        label: 'Look for',
        choices: CATEGORY_NAMES,
        explain: silent,
      },
      severity_threshold: {
        label: 'Flag from',
        choices: SEVERITY_NAMES,
        explain: silent,
      },
    },
  },
  extend: {
    main: ['aspect_ratio', 'output_format'],
    fields: {
      aspect_ratio: {
        label: 'Shape',
        explain: ({ aspect_ratio: shape }) => (shape === undefined ? 'By the edges and the zoom below.' : ''),
      },
      expand_left: { label: 'Left', explain: silent },
      expand_right: { label: 'Right', explain: silent },
      expand_top: { label: 'Top', explain: silent },
      expand_bottom: { label: 'Bottom', explain: silent },
      zoom_out_percentage: { label: 'Zoom', explain: () => '50 shrinks the image to half its size.' },
      output_format: {
        label: 'Format',
        choices: { png: 'PNG', jpeg: 'JPG', webp: 'WebP' },
        explain: silent,
      },
      num_images: { label: 'Variants', explain: silent },
      seed: { label: 'Seed', explain: () => 'The same number gives the same result.' },
      prompt: { label: 'Prompt', explain: () => 'Only models that read text follow it.' },
      enable_safety_checker: { label: 'Refuse sexual results', explain: silent },
    },
  },
  upscale: {
    main: ['scale', 'output_format'],
    fields: {
      scale: { label: 'Scale', choices: { 2: '2×', 4: '4×', 8: '8×' }, explain: silent },
      output_format: OUTPUT_FORMAT,
      width: { label: 'Largest width', explain: silent },
      dpi: { label: 'Print resolution', unit: { name: 'dpi', size: 1 }, explain: silent },
    },
  },
  diarize: {
    main: ['speaker_count'],
    fields: {
      speaker_count: {
        label: 'Speakers',
        explain: ({ speaker_count: asked }) =>
          asked === undefined ? 'Estimated, and often wrong: give it if you know it.' : '',
      },
    },
  },
  stems: {
    main: ['stems', 'output_format'],
    fields: {
      stems: { label: 'Split into', choices: { two: 'Two', four: 'Four' }, explain: silent },
      output_format: { label: 'Format', choices: { mp3: 'MP3', wav: 'WAV' }, explain: silent },
    },
  },
};

/** Fields of a step, with their words. */
interface WordedFields {
  readonly main: readonly Field[];
  readonly more: readonly Field[];
  readonly wording: Pick<Wording, 'fields'>;
}

/**
 * Returns the words of a step's fields, and which of them stand first. A field without words has no control.
 * @param operation its short name
 * @param engines names of its models, by their ids
 */
export function wordFields(
  operation: string,
  fields: readonly Field[],
  engines: Readonly<Record<string, string>>,
): WordedFields {
  const { main, fields: words } = WORDS[operation] ?? { main: [], fields: {} };
  const isMain = ({ name }: Field) => main.includes(name);
  const own = fields.flatMap((field): [string, FieldWording][] => {
    const named = words[field.name] ?? (isModel(field) ? { label: 'Model', explain: silent } : undefined);
    return named ? [[field.name, nameChoices(field, named, engines)]] : [];
  });
  return {
    main: fields.filter(isMain),
    more: fields.filter((field) => !isMain(field)),
    wording: { fields: Object.fromEntries(own) },
  };
}

const isModel = ({ name }: Field): boolean => name === 'engine' || name === 'model';

/** Adds labels to choices without: names of models, and the choice of the operation where there is no usual value. */
function nameChoices(
  field: Field,
  words: FieldWording,
  engines: Readonly<Record<string, string>>,
): FieldWording {
  if (field.kind !== 'choice' || words.choices) return words;
  // What the schema begins with chooses for itself.
  const nameModel = (id: string) => engines[id] ?? 'Best available';
  const named = field.values.map((value): [string, string] => [
    String(value),
    isModel(field) ? nameModel(String(value)) : String(value),
  ]);
  const choices = Object.fromEntries(named);
  return { ...words, choices: field.initial === undefined ? { '': 'Automatic', ...choices } : choices };
}
