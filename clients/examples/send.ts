const api = `${process.env.DARKROOM_URL}/api`;
const response = await fetch(`${api}/media-tools/v1/image-convert`, {
  method: 'POST',
  headers: {
    'Ocp-Apim-Subscription-Key': process.env.DARKROOM_KEY ?? '',
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    image_url: 'https://example.com/photo.jpg',
    to_format: 'avif',
  }),
});
console.log(await response.json());
