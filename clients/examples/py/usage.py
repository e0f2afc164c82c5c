import json, os
from urllib.request import Request, urlopen

request = Request(
    os.environ["DARKROOM_URL"] + "/api/v2/usage",
    headers={"Authorization": "Bearer " + os.environ["DARKROOM_KEY"]},
)
with urlopen(request) as response:
    report = json.load(response)
for row in report["usage"]:
    print(row["day"], row["model_id"], row["requests"], row["charged_usd"])
print("total", report["charged_usd"])
