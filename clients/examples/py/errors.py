import json, os, time
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def send(body, key):
    """Sends a request, and repeats it where that may help."""
    request = Request(
        os.environ["DARKROOM_URL"] + "/api/media-tools/v1/image-convert",
        headers={
            "Ocp-Apim-Subscription-Key": os.environ["DARKROOM_KEY"],
            "Content-Type": "application/json",
            "Idempotency-Key": key,
        },
        data=json.dumps(body).encode(),
    )
    for attempt in range(5):
        try:
            with urlopen(request) as response:
                return json.load(response)
        except HTTPError as error:
            seconds = error.headers["Retry-After"]
            may_pass = seconds or error.code in (500, 502, 504)
            if attempt == 4 or not may_pass:
                raise
            time.sleep(float(seconds or 2**attempt))


image_url = "https://example.com/photo.jpg"
try:
    body = {"image_url": image_url, "to_format": "avif", "quality": 500}
    send(body, "order-1236")
except HTTPError as error:
    problem = json.load(error)
    print(error.code, problem["code"], problem.get("field"), problem["message"])
