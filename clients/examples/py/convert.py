import json, os, time
from urllib.request import Request, urlopen, urlretrieve

API = os.environ["DARKROOM_URL"] + "/api"


def call(path, body=None, media_type="application/json"):
    headers = {
        "Ocp-Apim-Subscription-Key": os.environ["DARKROOM_KEY"],
        "Content-Type": media_type,
    }
    with urlopen(Request(API + path, body, headers)) as response:
        return json.load(response)


with open("photo.jpg", "rb") as photo:
    upload = call("/uploads", photo.read(), "image/jpeg")
body = {"image_url": upload["upload_url"], "to_format": "avif"}
job = call("/media-tools/v1/image-convert", json.dumps(body).encode())

id = job["request_id"]
while job["status"] in ("QUEUED", "PROCESSING"):
    time.sleep(1)
    job = call(f"/v2/requests/status/{id}")
if job["status"] != "COMPLETED":
    raise SystemExit(job["error"])

urlretrieve(job["output"]["media_url"][0], "photo.avif")
