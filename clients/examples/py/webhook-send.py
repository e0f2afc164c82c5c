import json, os
from urllib.request import Request, urlopen

request = Request(
    os.environ["DARKROOM_URL"] + "/api/media-tools/v1/image-convert",
    headers={
        "Ocp-Apim-Subscription-Key": os.environ["DARKROOM_KEY"],
        "Content-Type": "application/json",
        "X-Webhook-URL": "https://example.com/hook",
    },
    data=json.dumps(
        {
            "image_url": "https://example.com/photo.jpg",
            "to_format": "avif",
        }
    ).encode(),
)
with urlopen(request) as response:
    print(json.load(response))
