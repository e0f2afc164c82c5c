import json, os
from urllib.request import Request, urlopen

id = os.environ["REQUEST_ID"]
request = Request(
    os.environ["DARKROOM_URL"] + f"/api/v2/requests/status/{id}/events",
    headers={"Authorization": "Bearer " + os.environ["DARKROOM_KEY"]},
)

with urlopen(request) as events:
    for line in events:
        if line.startswith(b"data: "):
            job = json.loads(line[len(b"data: ") :])
            print(job["status"], job["progress"], flush=True)
