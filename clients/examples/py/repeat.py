import json, os
from urllib.request import Request, urlopen


def send():
    request = Request(
        os.environ["DARKROOM_URL"] + "/api/media-tools/v1/image-convert",
        headers={
            "Ocp-Apim-Subscription-Key": os.environ["DARKROOM_KEY"],
            "Content-Type": "application/json",
            "Idempotency-Key": "order-1234",
        },
        data=json.dumps(
            {
                "image_url": "https://example.com/photo.jpg",
                "to_format": "avif",
            }
        ).encode(),
    )
    with urlopen(request) as response:
        return json.load(response)


print(send()["request_id"])
# The same request_id: there is one job, and one charge.
print(send()["request_id"])
