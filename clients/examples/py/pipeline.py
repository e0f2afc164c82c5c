import os
from pathlib import Path

from darkroom import Client

# A flagged photo ends its own steps. All others are cut out once, and
# converted to two formats in three sizes.
images = [
    {
        "id": f"{to_format}-{width}",
        "operation": "convert",
        "from": "cut",
        "params": {"to_format": to_format, "width": width},
    }
    for to_format in ("webp", "avif")
    for width in (400, 1000, 2000)
]
steps = [
    {
        "id": "safe",
        "operation": "moderate",
        "params": {"categories": ["Sexual"]},
        "stop_if_flagged": True,
    },
    {"id": "cut", "operation": "remove-bg"},
    *images,
]

photos = sorted(Path("photos").iterdir())
results = Path("results")
results.mkdir(exist_ok=True)
origin, key = os.environ["DARKROOM_URL"], os.environ["DARKROOM_KEY"]
with Client(origin=origin, api_key=key) as client:
    job = client.run_batch("pipeline", photos, {"steps": steps})
    for photo, item in zip(photos, job["output"]["items"]):
        if item["status"] == "failed":
            print(photo.name, item["error"])
        elif "stopped_by" in item:
            print(photo.name, "is flagged")
        else:
            for file in item["files"]:
                client.download(file["url"], results / file["name"])
    print(job["billing"]["charged_usd"])
