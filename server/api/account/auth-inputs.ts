import { z } from 'zod';
import { fieldError, OperationError } from '../../../models/core/operation/errors.ts';
import { parseParams } from '../../../models/core/operation/params.ts';
import type { Context } from '../../base/context.ts';
import { resolveOwnUrl } from '../../identity/auth/index.ts';
import { parseJsonObject, parseQuery, readText } from '../transport/read-request.ts';

const BODY_BYTES_MAX = 64_000;

const text = (charactersMax: number) => z.string().max(charactersMax);
const email = text(254);
/** better-auth says which lengths it takes. */
const password = text(1_000);
const name = text(100);
/** Page that follows, one of `RETURN_PATHS`. */
const page = text(2_000).optional();
/** Token of a link or a session. */
const token = text(4_000);
const revokeKeys = z.boolean().default(false);
const nothing = z.strictObject({});
/** Credential as a browser gives it: https://www.w3.org/TR/webauthn-3/#dictdef-registrationresponsejson */
const credential = z.looseObject({
  id: text(2_000),
  rawId: text(2_000),
  type: text(100),
  authenticatorAttachment: text(100).nullish(),
  clientExtensionResults: z.looseObject({}).optional(),
  response: z.looseObject({
    clientDataJSON: text(BODY_BYTES_MAX),
    attestationObject: text(BODY_BYTES_MAX).optional(),
    authenticatorData: text(BODY_BYTES_MAX).optional(),
    signature: text(BODY_BYTES_MAX).optional(),
    userHandle: text(2_000).nullish(),
    transports: z.array(text(100)).max(20).optional(),
  }),
});

/**
 * The calls that our pages use, of better-auth all but the sign-up by an invitation, by method and path, and the fields
 * that each takes: of the body, or of the query of a GET, whose other fields are left out. Nothing else can be reached.
 */
export const AUTH_INPUTS: ReadonlyMap<string, z.ZodObject> = new Map<string, z.ZodObject>([
  ['POST /sign-up/email', z.strictObject({ name, email, password, callbackURL: page })],
  ['POST /sign-up/invitation', z.strictObject({ token, name: name.min(1), password })],
  [
    'POST /sign-in/email',
    z.strictObject({ email, password, rememberMe: z.boolean().optional(), callbackURL: page }),
  ],
  ['POST /sign-out', nothing],
  ['POST /request-password-reset', z.strictObject({ email, redirectTo: page })],
  ['POST /reset-password', z.strictObject({ newPassword: password, token, revokeKeys })],
  ['GET /verify-email', z.object({ token, callbackURL: page })],
  [
    'POST /change-password',
    z.strictObject({
      currentPassword: password,
      newPassword: password,
      revokeOtherSessions: z.boolean().default(true),
      revokeKeys,
    }),
  ],
  [
    'POST /change-email',
    z.strictObject({ newEmail: email, password: password.optional(), callbackURL: page }),
  ],
  ['POST /update-user', z.strictObject({ name })],
  ['GET /list-sessions', z.object({})],
  ['POST /revoke-session', z.strictObject({ token })],
  ['POST /revoke-other-sessions', nothing],
  ['GET /passkey/generate-register-options', z.object({})],
  ['POST /passkey/verify-registration', z.strictObject({ response: credential, name: name.optional() })],
  ['GET /passkey/generate-authenticate-options', z.object({})],
  ['POST /passkey/verify-authentication', z.strictObject({ response: credential })],
  ['GET /passkey/list-user-passkeys', z.object({})],
  ['POST /passkey/delete-passkey', z.strictObject({ id: z.uuid() })],
]);

export type AuthFields = Readonly<Record<string, unknown>>;

/** Pages that may follow a call, with any query. */
const RETURN_PATHS: readonly string[] = ['/', '/sign-in', '/dashboard', '/dashboard/account'];
const RETURN_FIELDS = ['callbackURL', 'redirectTo'] as const;

/**
 * Reads the fields of a call.
 * @param call method and path, one of `AUTH_INPUTS`
 * @throws OperationError `bad_request` that names the field, `forbidden` when another page shall follow than one of
 * ours
 */
export async function readAuthFields(
  { env }: Pick<Context, 'env'>,
  request: Request,
  call: string,
): Promise<AuthFields> {
  const schema = AUTH_INPUTS.get(call) ?? nothing;
  const given = request.method === 'POST' ? await readBody(request) : parseQuery(request);
  const fields: Record<string, unknown> = parseParams(schema, given);
  for (const field of RETURN_FIELDS) {
    const value = fields[field];
    if (typeof value === 'string') fields[field] = returnPath(env, field, value);
  }
  return fields;
}

/** Reads the body as JSON: better-auth would take a form as well, whose fields nothing here has checked. */
async function readBody(request: Request): Promise<object> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw fieldError('Content-Type', 'must be application/json.');
  }
  return parseJsonObject(await readText(request, BODY_BYTES_MAX));
}

/** Returns path and query of a page of ours as a browser understands them: better-auth checks the text as it is. */
function returnPath(env: Context['env'], field: string, value: string): string {
  const url = resolveOwnUrl(value, env);
  if (url && RETURN_PATHS.includes(url.pathname)) return url.pathname + url.search;
  throw new OperationError('forbidden', `${field}: must be one of ${RETURN_PATHS.join(', ')}.`);
}
