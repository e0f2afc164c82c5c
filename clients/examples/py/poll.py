import json, os, time
from urllib.request import Request, urlopen

id = os.environ["REQUEST_ID"]
request = Request(
    os.environ["DARKROOM_URL"] + f"/api/v2/requests/status/{id}",
    headers={"Authorization": "Bearer " + os.environ["DARKROOM_KEY"]},
)

while True:
    with urlopen(request) as response:
        job = json.load(response)
    if job["status"] not in ("QUEUED", "PROCESSING"):
        break
    time.sleep(5)
print(job)
