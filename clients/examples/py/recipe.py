import json, os
from urllib.parse import quote
from urllib.request import Request, urlopen, urlretrieve

API = os.environ["DARKROOM_URL"] + "/api"


def call(path, body=None, media_type="application/json"):
    headers = {
        "Authorization": "Bearer " + os.environ["DARKROOM_KEY"],
        "Content-Type": media_type,
        "Prefer": "wait=60",
    }
    with urlopen(Request(API + path, body, headers)) as response:
        return json.load(response)


with open("recipe.json") as file:
    recipe = json.load(file)
os.makedirs("shop", exist_ok=True)

for name in os.listdir("photos"):
    with open(f"photos/{name}", "rb") as photo:
        upload = call(f"/uploads?name={quote(name)}", photo.read(), "image/jpeg")
    body = {**recipe, "image_url": upload["upload_url"]}
    job = call("/v2/pipelines", json.dumps(body).encode())

    id = job["request_id"]
    while job["status"] in ("QUEUED", "PROCESSING"):
        job = call(f"/v2/requests/status/{id}")
    if job["status"] != "COMPLETED":
        raise SystemExit(job["error"])

    # Each file has a name: otter-shop.webp.
    for file in job["output"]["files"]:
        urlretrieve(file["url"], "shop/" + file["name"])
