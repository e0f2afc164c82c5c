import json, os
from urllib.parse import urlencode
from urllib.request import Request, urlopen

cursor = ""
while cursor is not None:
    query = {"status": "COMPLETED", "limit": 10}
    if cursor:
        query["cursor"] = cursor
    request = Request(
        os.environ["DARKROOM_URL"] + "/api/v2/requests?" + urlencode(query),
        headers={"Authorization": "Bearer " + os.environ["DARKROOM_KEY"]},
    )
    with urlopen(request) as response:
        page = json.load(response)
    for job in page["requests"]:
        print(job["request_id"], job["billing"]["charged_usd"])
    cursor = page["next_cursor"]
