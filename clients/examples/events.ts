const api = `${process.env.DARKROOM_URL}/api`;
const id = process.env.REQUEST_ID;
const response = await fetch(`${api}/v2/requests/status/${id}/events`, {
  headers: { Authorization: `Bearer ${process.env.DARKROOM_KEY}` },
});

const parts = response.body?.pipeThrough(new TextDecoderStream()) ?? [];
let text = '';
for await (const part of parts) {
  const events = (text + part).split('\n\n');
  text = events.pop() ?? '';
  for (const event of events) {
    // Comments without data keep the connection open.
    const [, data] = /^data: (.*)$/m.exec(event) ?? [];
    if (!data) continue;
    const { status, progress } = JSON.parse(data);
    console.log(status, progress);
  }
}
