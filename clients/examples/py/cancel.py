import json, os
from urllib.request import Request, urlopen

id = os.environ["REQUEST_ID"]
request = Request(
    os.environ["DARKROOM_URL"] + f"/api/v2/requests/{id}",
    headers={"Authorization": "Bearer " + os.environ["DARKROOM_KEY"]},
    method="DELETE",
)
with urlopen(request) as response:
    job = json.load(response)
print(job["status"], job["error"])
