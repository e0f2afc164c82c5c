import json, os
from urllib.request import Request, urlopen

request = Request(
    os.environ["DARKROOM_URL"] + "/api/v1/remove-bg",
    headers={
        "Authorization": "Bearer " + os.environ["DARKROOM_KEY"],
        "Content-Type": "application/json",
    },
    data=json.dumps(
        {"image_url": "https://example.com/photo.jpg"}
    ).encode(),
)
with urlopen(request) as response:
    result = json.load(response)
if response.status == 200:
    print(result["output_url"])
else:
    print("poll", result["polling_url"])
