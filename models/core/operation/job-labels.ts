import { z } from 'zod';

const REFERENCE_LENGTH_MAX = 200;
const KEYS_MAX = 16;
const KEY_LENGTH_MAX = 40;
const VALUE_LENGTH_MAX = 500;

/** Texts of a client's own on a job, to find it again by. They change nothing about the run. */
export interface JobLabels {
  /** The client's own name of the job; null without. */
  readonly reference: string | null;
  /** The client's own data about the job. */
  readonly metadata: Readonly<Record<string, string>>;
}

const REFERENCE_HINT = 'Your own name of the job, such as an order number.';
const METADATA_HINT = `Your own data about the job: up to ${KEYS_MAX} keys of ${KEY_LENGTH_MAX} characters with values of up to ${VALUE_LENGTH_MAX}.`;

const metadata = z
  .record(z.string().min(1).max(KEY_LENGTH_MAX), z.string().max(VALUE_LENGTH_MAX))
  .refine((given) => Object.keys(given).length <= KEYS_MAX, `must have at most ${KEYS_MAX} keys`);

/** Fields of every request for a job. */
export const LABEL_FIELDS = {
  reference: z
    .string()
    .min(1)
    .max(REFERENCE_LENGTH_MAX)
    .nullable()
    .default(null)
    .meta({ description: `${REFERENCE_HINT} The job, its webhook and the list of requests repeat it.` }),
  metadata: metadata
    .default({})
    .meta({ description: `${METADATA_HINT} The job, its webhook and the list of requests repeat it.` }),
} as const;

/** Members of a job that repeat the labels of its request. */
export const LABEL_MEMBERS = {
  reference: z.string().nullable().meta({ description: 'The `reference` of the request.' }),
  metadata: z.record(z.string(), z.string()).meta({ description: 'The `metadata` of the request.' }),
};

/** Filters of a list of jobs; those of metadata are written `metadata[key]=value`. */
export const LABEL_FILTERS = {
  reference: z
    .string()
    .min(1)
    .max(REFERENCE_LENGTH_MAX)
    .optional()
    .meta({ description: 'Exactly this reference.' }),
  metadata: metadata.optional().meta({
    description: 'Exactly these values of metadata, each as `metadata[key]=value`.',
    param: { style: 'deepObject', explode: true },
  }),
};

const METADATA_FIELD = /^metadata\[(.{1,40})\]$/s;

/**
 * Splits the filters `metadata[key]=value` of a list off its other ones.
 * @param query fields by name
 */
export function splitMetadataFilters(query: Readonly<Record<string, string>>): {
  readonly others: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, string>>;
} {
  const entries = Object.entries(query);
  const getKey = (name: string): string | undefined => METADATA_FIELD.exec(name)?.[1];
  return {
    others: Object.fromEntries(entries.filter(([name]) => getKey(name) === undefined)),
    metadata: Object.fromEntries(
      entries.flatMap(([name, value]) => {
        const key = getKey(name);
        return key === undefined ? [] : [[key, value]];
      }),
    ),
  };
}
