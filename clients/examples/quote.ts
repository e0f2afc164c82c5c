const api = `${process.env.DARKROOM_URL}/api`;
const response = await fetch(`${api}/v2/quotes`, {
  method: 'POST',
  headers: {
    Authorization: `Bearer ${process.env.DARKROOM_KEY}`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    model_id: 'remove-bg',
    request: { image_url: 'https://example.com/photo.jpg' },
  }),
});
const { price_usd, expected_seconds } = await response.json();
console.log(price_usd, expected_seconds);
