const api = `${process.env.DARKROOM_URL}/api`;
const response = await fetch(`${api}/v2/usage`, {
  headers: { Authorization: `Bearer ${process.env.DARKROOM_KEY}` },
});
const { usage, charged_usd } = await response.json();
for (const { day, model_id, requests, charged_usd } of usage) {
  console.log(day, model_id, requests, charged_usd);
}
console.log('total', charged_usd);
