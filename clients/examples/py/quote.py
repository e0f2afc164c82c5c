import json, os
from urllib.request import Request, urlopen

request = Request(
    os.environ["DARKROOM_URL"] + "/api/v2/quotes",
    headers={
        "Authorization": "Bearer " + os.environ["DARKROOM_KEY"],
        "Content-Type": "application/json",
    },
    data=json.dumps(
        {
            "model_id": "remove-bg",
            "request": {"image_url": "https://example.com/photo.jpg"},
        }
    ).encode(),
)
with urlopen(request) as response:
    quote = json.load(response)
print(quote["price_usd"], quote["expected_seconds"])
