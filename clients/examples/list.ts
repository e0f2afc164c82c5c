interface RequestPage {
  requests: { request_id: string; billing: { charged_usd: string } }[];
  next_cursor: string | null;
}

const api = `${process.env.DARKROOM_URL}/api`;
const headers = { Authorization: `Bearer ${process.env.DARKROOM_KEY}` };
const query = new URLSearchParams({ status: 'COMPLETED', limit: '10' });
for (;;) {
  const response = await fetch(`${api}/v2/requests?${query}`, {
    headers,
  });
  const page: RequestPage = await response.json();
  for (const { request_id, billing } of page.requests) {
    console.log(request_id, billing.charged_usd);
  }
  if (page.next_cursor === null) break;
  query.set('cursor', page.next_cursor);
}
