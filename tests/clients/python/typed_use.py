"""Use of the client that `mypy --strict` accepts, and below it what it refuses."""

from typing import Mapping

from darkroom import AsyncClient, Client, CompletedJob, Job, RunOptions, verify_webhook


def describe(job: Job) -> str:
    if job["status"] == "COMPLETED":
        return job["output"]["media_type"]
    return job["error"] or job["status"]


def accepted(client: Client, photo: bytes) -> CompletedJob:
    options: RunOptions = {"cache": False, "timeout": 60.0}
    job = client.run("media-convert-image", "photo.jpg", {"to_format": "avif", "quality": 80}, **options)
    describe(job)
    client.run("remove-bg", photo)
    client.run("upscale", photo, {"scale": 4}, on_upload=lambda sent, total: None, on_progress=describe_progress)
    items = client.run_batch(
        "media-convert-image", ["a.png", (photo, {"to_format": "gif"})], {"to_format": "webp", "reference": "b"}
    )
    print([item["status"] for item in items["output"]["items"]])
    recipe = client.pipelines.run(
        photo,
        {
            "steps": [
                {"id": "cut", "operation": "remove-bg"},
                {"id": "shop", "operation": "convert", "from": "cut", "params": {"to_format": "webp", "width": 2000}},
            ],
            "outputs": ["shop"],
        },
        idempotency_key="otter-1",
    )
    print(recipe["output"]["files"][0]["name"], recipe["output"].get("steps"))
    client.pipelines.run("https://example.com/a.jpg", {"preset": "shop@3", "overrides": {"shop": {"width": 300}}})
    for cutout in client.run_batch("remove-bg", ["a.png"])["output"]["items"]:
        print(cutout["output_url"] if cutout["status"] == "success" else cutout["error"])
    prices = client.quote_batch("upscale", ["a.png"], {"scale": 4})
    print(prices["price_usd"], len(prices["items"]))
    token = client.create_token(max_usd="0.50", expires_in_seconds=600, operations=["remove-bg"])
    client.delete_token(token["token_id"])
    request_id = client.submit("audio-diarize", "talk.mp3", {"speaker_count": 2}, webhook_url="https://a.example/")
    for state in client.events(request_id):
        print(describe(state))
    print(client.quote("image-outpaint", "a.png", {"expand_left": 10})["price_usd"])
    return client.wait(request_id, timeout=5)


def describe_progress(job: Job) -> None:
    print(job["progress"])


def receive(body: bytes, headers: Mapping[str, str]) -> str:
    event = verify_webhook(body, headers, "whsec_")
    return event["spent_usd"] if "type" in event else event["request_id"]


async def accepted_async(client: AsyncClient) -> str:
    await client.pipelines.run("photo.jpg", {"preset": "shop"}, timeout=3)
    job = await client.run("media-convert-image", "photo.jpg", {"to_format": "avif"}, timeout=3)
    async for state in client.events(job["request_id"]):
        describe(state)
    return job["output"]["media_url"][0]


def refused(client: Client) -> None:
    client.run("media-convert-image", "a.png", {"to_fromat": "avif"})
    client.run("media-convert-image", "a.png")
    client.run("media-convert-image", "a.png", {"to_format": "psd"})
    client.run("remove-bg", "a.png", {"to_format": "avif"})
    client.run("remove-background", "a.png")
    client.run("upscale", open("a.png", "rb"))
    client.run("upscale", "a.png", {"scale": 2}, time_out=3)
    client.run_batch("upscale", ["a.png"], {"scale": 3})
    client.run_batch("audio-diarize", ["a.mp3"])
    print([item["output_url"] for item in client.run_batch("media-convert-image", ["a.png"])["output"]["items"]])
    client.quote_batch("upscale", ["a.png"], {"scale": 3})
    client.create_token(max_usd="0.50")
    client.submit("media-convert-image", "a.png", {"to_fromat": "avif"})
    client.quote("media-convert-image", "a.png", {"to_fromat": "avif"})
    client.pipelines.run("a.png", {"presets": "shop"})
    client.pipelines.run("a.png", {"steps": [{"operation": "convert"}]})
    client.pipelines.run("a.png")
