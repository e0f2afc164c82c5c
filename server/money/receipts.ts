import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { desc, sql } from 'drizzle-orm';
import { type Db, type Executor, schema } from '../base/database/db.ts';
import { decodeStoredSecret, encodeStoredSecret, receiptPurpose } from '../base/secrets/index.ts';

/** File of a job, as its receipt names it. */
export interface ReceiptFile {
  readonly name: string;
  /** In hex. */
  readonly sha256: string;
  readonly bytes: number;
}

/** Statement of what a job did. */
export interface Receipt {
  /** URL of the service that has signed it. */
  readonly iss: string;
  /** Present for a job of a test key: nothing ran, and nothing was charged. */
  readonly test?: true;
  readonly request_id: string;
  readonly model_id: string;
  readonly engine: string | null;
  readonly weights: readonly { readonly id: string; readonly sha256: string }[];
  readonly params: unknown;
  readonly inputs: readonly ReceiptFile[];
  readonly outputs: readonly ReceiptFile[];
  readonly charged_usd: string;
  /** ISO 8601 */
  readonly created_at: string;
  /** ISO 8601 */
  readonly completed_at: string;
  /** Present for a run on a machine of the account: engine, weights and outputs are what that machine reported. */
  readonly run_on?: 'own';
}

export type SignReceipt = (receipt: Omit<Receipt, 'iss'>) => string;

/** Type in the header of a receipt, so that no other signed statement passes for one (RFC 8725, section 3.11). */
const TYPE = 'darkroom-receipt+jwt';

const { receiptKeys } = schema;

/** Class of the advisory lock under which a first key is made: "recp" in ASCII. */
const LOCK = 0x72656370;

const SEED_BYTES = 32;

/** Start of an Ed25519 private key in DER, before its seed (RFC 8410, section 7). */
const DER_START = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Time after which a process looks for a newer key. */
const REREAD_MS = 60_000;

/** Public half of a key as a JSON Web Key (RFC 8037). */
export interface PublicKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'EdDSA';
  /** In base64url. */
  readonly x: string;
}

/** Key that signs receipts. */
export interface ReceiptKey {
  readonly privateKey: KeyObject;
  readonly publicKey: PublicKey;
}

/** Lists the public keys, the newest first. Makes the first one. */
export async function listPublicKeys(db: Db): Promise<readonly PublicKey[]> {
  await getReceiptKey(db);
  const rows = await db.select().from(receiptKeys).orderBy(desc(receiptKeys.createdAt));
  return rows.map((row) => openKey(row).publicKey);
}

interface KnownKey {
  readonly key: Promise<ReceiptKey>;
  readonly readAtMs: number;
}

const known = new WeakMap<Db, KnownKey>();

/** Returns the key that signs, the newest one. Makes the first one, for all processes of the service. */
export async function getReceiptKey(db: Db): Promise<ReceiptKey> {
  const current = known.get(db);
  if (current && performance.now() - current.readAtMs < REREAD_MS) return await current.key;
  const key = db.transaction(async (tx) => {
    const [newest] = await findNewest(tx);
    if (newest) return openKey(newest);
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`);
    const [made] = await findNewest(tx);
    return made ? openKey(made) : await addReceiptKey(tx);
  });
  known.set(db, { key, readAtMs: performance.now() });
  key.catch(() => known.delete(db));
  return await key;
}

/** Adds a key, which signs from now on: within a minute in processes that run already. Older ones stay published. */
export async function addReceiptKey(db: Executor): Promise<ReceiptKey> {
  const seed = randomBytes(SEED_BYTES);
  const key = getKey(seed);
  const { kid } = key.publicKey;
  await db.insert(receiptKeys).values({ kid, secret: encodeStoredSecret(seed, receiptPurpose(kid)) });
  return key;
}

async function findNewest(db: Executor) {
  return await db.select().from(receiptKeys).orderBy(desc(receiptKeys.createdAt)).limit(1);
}

function openKey({ kid, secret }: typeof receiptKeys.$inferSelect): ReceiptKey {
  return getKey(decodeStoredSecret(secret, receiptPurpose(kid)));
}

function getKey(seed: Buffer): ReceiptKey {
  const der = Buffer.concat([DER_START, seed]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  const kid = computeThumbprint(x);
  return { privateKey, publicKey: { kty: 'OKP', crv: 'Ed25519', kid, use: 'sig', alg: 'EdDSA', x } };
}

/** Computes the thumbprint of a public key (RFC 7638; its required members by RFC 8037, section 2). */
function computeThumbprint(x: string): string {
  return createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');
}

/**
 * Returns what signs receipts, as compact JWS (RFC 7515) by Ed25519 (RFC 8037). It needs the database no more.
 * @param issuer URL of the service
 */
export async function createReceiptSigner(db: Db, issuer: string): Promise<SignReceipt> {
  const { privateKey, publicKey } = await getReceiptKey(db);
  const header = encode({ alg: publicKey.alg, kid: publicKey.kid, typ: TYPE });
  return (receipt) => {
    const signed = `${header}.${encode({ iss: issuer, ...receipt })}`;
    return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
  };
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
