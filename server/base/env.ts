import { Resolver } from 'node:dns';
import { cpus, totalmem } from 'node:os';
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { describeIssue } from '../../models/core/operation/params.ts';
import { isModelId, MODEL_IDS } from '../../models/registry.ts';
import { DEFAULT_PRICING, type Pricing, readPricingFile } from './pricing.ts';

const list = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

const port = z.coerce.number().int().min(1).max(65535);
const httpUrl = z
  .string()
  .regex(/^https?:\/\/[^\s/]+/, 'must be an http:// or https:// URL')
  .transform((url) => url.replace(/\/+$/, ''));
const modelIds = z
  .string()
  .transform(list)
  .refine((ids) => ids.every(isModelId), `must be a comma list of ${MODEL_IDS.join(', ')}`);
const emails = z
  .string()
  .transform((text) => list(text).map((email) => email.toLowerCase()))
  .pipe(z.array(z.email(), { error: 'must be a comma list of e-mail addresses' }));
const cidrs = z
  .string()
  .transform(list)
  .refine(
    (all) => all.every((cidr) => ipaddr.isValidCIDR(cidr)),
    'must be a comma list of CIDRs, such as 127.0.0.0/8',
  );

const dnsServers = z
  .string()
  .transform(list)
  .refine(
    areDnsServers,
    'must be a comma list of IP addresses, each with a port if it is not 53: 10.0.0.2:5353',
  );

const contact = z
  .string()
  .refine(
    (text) => z.union([z.email(), httpUrl]).safeParse(text).success,
    'must be an e-mail address, or an http:// or https:// URL',
  )
  .transform((text) => (text.includes('://') ? text : `mailto:${text}`));

/** `card=url` pairs: models that run on an inference server, and their URLs. */
const endpoints = z
  .string()
  .transform((text) => list(text).map((pair) => pair.split(/=(.*)/s, 2)))
  .pipe(
    z.array(z.tuple([z.string().min(1), httpUrl]), {
      error: 'must be a comma list of <weights id>=<URL of a served model>',
    }),
  )
  .transform((pairs) => new Map(pairs));

/** `name=value` pairs, percent-encoded: HTTP headers, as OpenTelemetry writes them. */
const headers = z
  .string()
  .refine((text) => list(text).every(isHeader), 'must be a comma list of <name>=<percent-encoded value>')
  .transform((text) => new Map(list(text).map(parseHeader)));

const flag = z
  .enum(['0', '1'])
  .default('0')
  .transform((text) => text === '1');

/** Less than this would not be what even a small image declares. */
const RUNNER_MEMORY_MB_MIN = 500;

/** Length of each key of SECRETS_KEY. */
export const SECRETS_KEY_BYTES = 32;
const secretsKeys = z
  .string()
  .transform((text) => list(text).map((key) => Buffer.from(key, 'base64')))
  .refine(
    (keys) => keys.every(({ length }) => length === SECRETS_KEY_BYTES),
    'must be a comma list of keys of 32 bytes in base64, as `openssl rand -base64 32` makes them',
  );

const schema = z.object({
  NODE_ENV: z.string().default('production'),
  PORT: port.default(3000),
  PUBLIC_URL: httpUrl.optional(),
  DATA_DIR: z
    .string()
    .min(1)
    .default('.data')
    .transform((dir) => resolve(dir)),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must be a postgres:// URL')
    .optional(),
  S3_ENDPOINT: httpUrl.optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_BUCKET: z.string().min(1).optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  CDN_URL: httpUrl.optional(),
  RESULT_TTL_HOURS: z.coerce.number().positive().max(8760).default(96),
  // Who runs the service, for the footer of every page: its terms, its privacy policy, and where questions go.
  OPERATOR_TERMS_URL: httpUrl.optional(),
  OPERATOR_PRIVACY_URL: httpUrl.optional(),
  OPERATOR_CONTACT: contact.optional(),
  // Where the data lies, in words, for the docs: a city and a country.
  DATA_LOCATION: z.string().min(1).max(200).optional(),
  // How long jobs stay readable after their end, and webhook deliveries in their list. The ledger stays for ever.
  JOB_RETENTION_DAYS: z.coerce.number().min(1).max(36_500).default(90),
  DELIVERY_RETENTION_DAYS: z.coerce.number().min(1).max(36_500).default(30),
  // How long accounts see their requests; 0 keeps none.
  REQUEST_LOG_DAYS: z.coerce.number().min(0).max(365).default(30),
  // How long a job may wait for a runner, or for the end of an outage.
  JOB_DEADLINE_HOURS: z.coerce.number().positive().max(720).default(6),
  SYNC_TIMEOUT_SECONDS: z.coerce.number().positive().max(3600).default(120),
  // How many interactive jobs one runner works on at once; of long ones, verdicts and runs of batches half as many
  // each, rounded up. One more than cores: while one job waits for database or disk, another computes.
  RUNNER_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(256)
    .default(cpus().length + 1),
  // What the runs of one runner may declare together: a share for each, where several runners use one machine.
  RUNNER_MEMORY_MB: z.coerce.number().int().min(RUNNER_MEMORY_MB_MIN).default(defaultRunnerMemoryMb()),
  // What one account may occupy: in each web process, and in the database and the store of all of them.
  ACCOUNT_REQUESTS_MAX: z.coerce.number().int().min(1).default(256),
  ACCOUNT_RECEIVING_MB: z.coerce.number().min(50).default(200),
  // A batch of the largest images fits.
  ACCOUNT_FETCHED_MB: z.coerce.number().positive().default(3000),
  ACCOUNT_UPLOADS_MAX: z.coerce.number().int().min(1).default(2000),
  ACCOUNT_UPLOADS_MB: z.coerce.number().min(1).default(10_000),
  ACCOUNT_STORAGE_GB: z.coerce.number().positive().default(50),
  // What the links of the studio's visitors may occupy of each web process's disk.
  LINKS_MB: z.coerce.number().min(50).default(4000),
  // What stays free on the disk: below it nothing large is stored, and below a quarter of it no job is accepted.
  DISK_RESERVE_MB: z.coerce.number().min(0).default(2048),
  RECEIVING_MB: z.coerce.number().min(50).default(500),
  RATE_LIMIT_PER_SECOND: z.coerce.number().positive().default(20),
  RATE_LIMIT_BURST: z.coerce.number().int().positive().default(40),
  CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(1).max(10_000).default(512),
  // Failures by an account's inputs that cost it nothing; one counts once for each started 10 s of its run.
  FAILURES_PER_HOUR: z.coerce.number().int().positive().default(100),
  // Multiplies the processor time that a run may use, as on a slower machine: a conversion 30 s.
  PROCESSOR_LIMIT_FACTOR: z.coerce.number().positive().max(1000).default(1),
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(16).default(0),
  DISABLED_MODELS: modelIds.default([]),
  FETCH_ALLOW_NETWORKS: cidrs.default([]),
  FETCH_DNS_SERVERS: dnsServers.default([]),
  MODEL_MIRROR: z
    .string()
    .transform((mirror) => (/^https?:\/\//.test(mirror) ? mirror.replace(/\/+$/, '') : resolve(mirror)))
    .optional(),
  MODELS_OFFLINE: flag,
  // Weights that the service may use: those that are free for commercial use, or all.
  MODELS_LICENCES: z.enum(['commercial', 'all']).default('commercial'),
  // Weights that a runner fetches in the background: of engines whose files are 32 MB or less together, all, or none.
  MODELS_PREFETCH: z.enum(['small', 'all', 'none']).default('small'),
  // What the weights in DATA_DIR/models may take together: the least recently used ones make room for others.
  MODELS_DISK_MB: z.coerce.number().int().positive().default(4000),
  // When a runner begins to fetch and measure engines after its start.
  ACCEPTANCE_DELAY_SECONDS: z.coerce.number().min(0).max(1_000_000).default(15),
  GPL_ENCODERS: z
    .enum(['on', 'off'])
    .default('on')
    .transform((choice) => choice === 'on'),
  INFERENCE_ENDPOINTS: endpoints.default(new Map()),
  INFERENCE_MEMORY_MB: z.coerce.number().int().positive().default(2000),
  // Links of sign-up and password reset go through this server, or to the log without one.
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/[^\s/]+/, 'must be an smtp:// or smtps:// URL')
    .optional(),
  // Users who see the health of the whole service. Without it, a local install has its first user.
  OWNER_EMAILS: emails.default([]),
  MAIL_FROM: z.string().min(3).default('Darkroom <no-reply@localhost>'),
  // `npm start` sets it for its parts: the database is this machine's own.
  EMBEDDED_DATABASE: flag,
  // Payments by Stripe. Without both keys wallets are filled by `npm run account`, and on this machine for tests.
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_\w+$/, 'must begin with sk_ or rk_')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\w+$/, 'must begin with whsec_')
    .optional(),
  STRIPE_API_BASE: httpUrl.optional(),
  // The first key encrypts secrets in the database, and all decrypt them. `npm start` makes one for a local install.
  SECRETS_KEY: secretsKeys.default([]),
  METRICS_TOKEN: z.string().min(16).optional(),
  // Prices, limits and free credit, as JSON.
  TERMS_FILE: z.string().optional(),
  // Traces, under OpenTelemetry's own names: off without an endpoint.
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.enum(['http/protobuf', 'http/json']).default('http/protobuf'),
  OTEL_EXPORTER_OTLP_HEADERS: headers.default(new Map()),
  OTEL_SERVICE_NAME: z.string().min(1).max(100).default('darkroom'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

function areDnsServers(servers: readonly string[]): boolean {
  try {
    new Resolver().setServers(servers);
    return true;
  } catch {
    return false;
  }
}

function parseHeader(pair: string): [name: string, value: string] {
  const [name = '', value = ''] = pair.split(/=(.*)/s, 2);
  return [name.trim(), decodeURIComponent(value.trim())];
}

function isHeader(pair: string): boolean {
  try {
    const [name, value] = parseHeader(pair);
    new Headers([[name, value]]);
    return value !== '';
  } catch {
    return false;
  }
}

/** Returns three quarters of this machine's memory, or of its container's limit. */
function defaultRunnerMemoryMb(): number {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.max(1, Math.floor((bytes * 0.75) / 1_000_000));
}

/** Names of all settings. */
export const ENV_NAMES: readonly string[] = Object.keys(schema.shape);

export type Env = Omit<z.output<typeof schema>, 'PUBLIC_URL' | 'TERMS_FILE'> & {
  readonly PUBLIC_URL: string;
  /** Content of `TERMS_FILE`. */
  readonly TERMS: Pricing;
};

// Bundles have their own modules, but one process has one version of the terms.
const shared: typeof globalThis & { darkroomTerms?: Map<string, Pricing> } = globalThis;

/**
 * Reads and checks the whole environment, in this place only. Empty values count as absent. The limits of `TERMS_FILE`
 * are those of variables that are absent.
 * @throws Error naming every wrong variable and what is allowed
 */
export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const TERMS = given.TERMS_FILE ? termsAt(given.TERMS_FILE) : DEFAULT_PRICING;
  const result = schema.safeParse({ ...TERMS.limits, ...given }, { reportInput: true });
  if (!result.success) {
    throw invalidEnv(result.error.issues.map(describeIssue).join('\n'));
  }
  const { TERMS_FILE: _, ...env } = result.data;
  if (env.S3_BUCKET && !(env.S3_ACCESS_KEY_ID && env.S3_SECRET_ACCESS_KEY)) {
    throw invalidEnv('S3_BUCKET: needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY as well');
  }
  if (env.CDN_URL && !env.S3_BUCKET) {
    throw invalidEnv('CDN_URL: requires S3_BUCKET, since a CDN serves a bucket');
  }
  if (Boolean(env.STRIPE_SECRET_KEY) !== Boolean(env.STRIPE_WEBHOOK_SECRET)) {
    throw invalidEnv('STRIPE_SECRET_KEY: needs STRIPE_WEBHOOK_SECRET as well, and the other way round');
  }
  return { ...env, TERMS, PUBLIC_URL: env.PUBLIC_URL ?? `http://localhost:${env.PORT}` };
}

function invalidEnv(faults: string): Error {
  return new Error(`The environment is not valid.\n${faults}`);
}

function termsAt(path: string): Pricing {
  shared.darkroomTerms ??= new Map();
  const terms = shared.darkroomTerms.get(path) ?? readPricingFile(path);
  shared.darkroomTerms.set(path, terms);
  return terms;
}

const SECRETS_KEY = schema.pick({ SECRETS_KEY: true });

/**
 * Reads the keys that encrypt secrets in the database, the one that encrypts first. Secrets are read in every bundle
 * and process, with nothing but a database.
 */
export function readSecretsKeys(): readonly Buffer[] {
  return SECRETS_KEY.parse({ SECRETS_KEY: process.env.SECRETS_KEY || undefined }).SECRETS_KEY;
}
