import { readTwin } from '../read-twin.ts';

/** Responds to `/docs/<page>.md` with the page as Markdown. */
export async function GET(
  _request: Request,
  { params }: { readonly params: Promise<{ readonly file: string }> },
): Promise<Response> {
  const { file } = await params;
  const twin = file.endsWith('.md') ? await readTwin(`/docs/${file.slice(0, -'.md'.length)}`) : undefined;
  if (twin === undefined) return new Response('Not found.\n', { status: 404 });
  return new Response(twin, { headers: { 'content-type': 'text/markdown; charset=utf-8' } });
}
