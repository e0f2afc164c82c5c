const api = `${process.env.DARKROOM_URL}/api`;
const response = await fetch(`${api}/v1/remove-bg`, {
  method: 'POST',
  headers: {
    Authorization: `Bearer ${process.env.DARKROOM_KEY}`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({ image_url: 'https://example.com/photo.jpg' }),
});
const result = await response.json();
if (response.status === 200) console.log(result.output_url);
else if (response.status === 202)
  console.log('poll', result.polling_url);
else throw new Error(result.message);
