import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { type Executor, schema } from './db.ts';

const { serviceSecrets } = schema;
const SECRET_BYTES = 32;

/** Returns a secret of the service: made on first use, then the same for all processes and for ever. */
export async function serviceSecret(db: Executor, name: string): Promise<Buffer> {
  const find = () =>
    db.select({ secret: serviceSecrets.secret }).from(serviceSecrets).where(eq(serviceSecrets.name, name));
  const [known] = await find();
  if (known) return known.secret;
  await db
    .insert(serviceSecrets)
    .values({ name, secret: randomBytes(SECRET_BYTES) })
    .onConflictDoNothing();
  const [made] = await find();
  if (!made) throw new Error(`the secret ${name} was not stored`);
  return made.secret;
}
