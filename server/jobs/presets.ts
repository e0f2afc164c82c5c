import { and, desc, eq, getTableColumns, max, sql } from 'drizzle-orm';
import { fieldError } from '../../models/core/operation/errors.ts';
import { type Db, type Executor, schema } from '../base/database/db.ts';
import { lockOpenAccount } from '../base/database/lock-account.ts';

/** Names of an account's presets, and versions of one. Older versions go. */
const PRESETS_MAX = 100;
const VERSIONS_MAX = 100;
/** Name of a preset, with its version where one is meant: `shop@3`. */
const REFERENCE = /^([a-z][a-z0-9-]{0,63})(?:@([1-9]\d{0,8}))?$/;

export type Preset = Omit<typeof schema.presets.$inferSelect, 'accountId'>;

const { presets } = schema;
const { accountId: _, ...COLUMNS } = getTableColumns(presets);

interface Owned {
  readonly accountId: string;
  readonly name: string;
}

const isNamed = ({ accountId, name }: Owned) => and(eq(presets.accountId, accountId), eq(presets.name, name));

/**
 * Saves a recipe under a name, as its next version.
 * @throws OperationError `bad_request` when the account has 100 presets of other names
 */
export async function savePreset(
  db: Db,
  { accountId, name }: Owned,
  recipe: Pick<Preset, 'steps' | 'outputs'>,
): Promise<Preset> {
  return await db.transaction(async (tx) => {
    // One at a time: each reads what the others have saved.
    await lockOpenAccount(tx, accountId, 'no key update');
    const [last] = await tx
      .select({ version: max(presets.version) })
      .from(presets)
      .where(isNamed({ accountId, name }));
    const version = (last?.version ?? 0) + 1;
    if (version === 1 && (await listPresets(tx, accountId)).length >= PRESETS_MAX) {
      throw fieldError('name', `an account has at most ${PRESETS_MAX} presets. Delete one first.`);
    }
    const [saved] = await tx
      .insert(presets)
      .values({ ...recipe, accountId, name, version })
      .returning(COLUMNS);
    const isOld = sql`${presets.version} <= ${version - VERSIONS_MAX}::int`;
    await tx.delete(presets).where(and(isNamed({ accountId, name }), isOld));
    if (!saved) throw new Error('the preset was not saved');
    return saved;
  });
}

/** Lists the newest version of each preset of an account, by name. */
export async function listPresets(db: Executor, accountId: string): Promise<Preset[]> {
  return await db
    .selectDistinctOn([presets.name], COLUMNS)
    .from(presets)
    .where(eq(presets.accountId, accountId))
    .orderBy(presets.name, desc(presets.version));
}

/** Finds a preset by its name, `shop`, or a version of it, `shop@3`. */
export async function findPreset(
  db: Executor,
  accountId: string,
  reference: string,
): Promise<Preset | undefined> {
  const [, name, version] = REFERENCE.exec(reference) ?? [];
  if (name === undefined) return undefined;
  const isVersion = version === undefined ? undefined : eq(presets.version, Number(version));
  const [found] = await db
    .select(COLUMNS)
    .from(presets)
    .where(and(isNamed({ accountId, name }), isVersion))
    .orderBy(desc(presets.version))
    .limit(1);
  return found;
}

/** Deletes a preset with all its versions. Jobs keep the steps that they ran. @returns false when there is none */
export async function deletePreset(db: Executor, owned: Owned): Promise<boolean> {
  const deleted = await db.delete(presets).where(isNamed(owned)).returning({ version: presets.version });
  return deleted.length > 0;
}
