import { serveEarlierPackage } from '../../../../server/ops/build/client-packages.ts';
import { getWebContext } from '../../../../server/ops/web-context.ts';

/** Responds to the address of a package that this version does not offer any more. */
export async function GET(
  _request: Request,
  { params }: { readonly params: Promise<{ readonly file: string }> },
): Promise<Response> {
  const { file } = await params;
  return await serveEarlierPackage(await getWebContext(), file);
}
