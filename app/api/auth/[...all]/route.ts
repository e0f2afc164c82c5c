import { handleAuth } from '../../../../server/api/account/auth-routes.ts';
import { getWebContext } from '../../../../server/ops/web-context.ts';

export const dynamic = 'force-dynamic';

async function handle(request: Request): Promise<Response> {
  return handleAuth(await getWebContext(), request);
}

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
};
