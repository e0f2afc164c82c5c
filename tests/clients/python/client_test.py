"""Tests of the installed Python client against a running service, which the environment names."""

import asyncio
import base64
import hashlib
import hmac
import json
import os
import tempfile
import time
import unittest
from typing import Any, Callable, Dict, List, Tuple

import httpx

import darkroom
from darkroom import AsyncClient, Client

ORIGIN = os.environ["DARKROOM_URL"]
API_KEY = os.environ["DARKROOM_KEY"]
PHOTO = os.environ["PHOTO"]
MEGABYTE = 1024 * 1024


def client(**options: Any) -> Client:
    return Client(origin=ORIGIN, api_key=API_KEY, **options)


class RunTest(unittest.TestCase):
    def test_converts_a_file(self) -> None:
        states: List[str] = []
        with client() as service, tempfile.TemporaryDirectory() as folder:
            params = {"to_format": "webp", "reference": "order-1"}
            job = service.run(
                "media-convert-image", PHOTO, params, on_progress=lambda state: states.append(state["status"])
            )
            self.assertEqual((job["status"], job["reference"]), ("COMPLETED", "order-1"))
            self.assertEqual(states[-1], "COMPLETED")
            (url,) = job["output"]["media_url"]
            whole = service.download(url)
            self.assertEqual((whole[:4], whole[8:12]), (b"RIFF", b"WEBP"))
            path = os.path.join(folder, "photo.webp")
            service.download(url, path)
            with open(path, "rb") as saved:
                self.assertEqual(saved.read(), whole)
            self.assertEqual(os.listdir(folder), ["photo.webp"])
            self.assertEqual(service.get_job(job["request_id"])["status"], "COMPLETED")

    def test_takes_bytes_and_answers_of_direct_operations(self) -> None:
        with client() as service, open(PHOTO, "rb") as photo:
            job = service.run("image-moderation", photo.read(), {"categories": ["Sexual"]})
            self.assertIn("flagged", job["output"]["result"])

    def test_runs_a_batch(self) -> None:
        with client() as service, open(PHOTO, "rb") as photo:
            items = [PHOTO, (photo.read(), {"to_format": "gif"}), "http://127.0.0.1:9/missing.png"]
            job = service.run_batch("media-convert-image", items, {"to_format": "webp", "reference": "py-batch"})
            self.assertEqual((job["status"], job["reference"]), ("COMPLETED", "py-batch"))
            found = [(item["status"], item.get("media_type")) for item in job["output"]["items"]]
            self.assertEqual(found, [("success", "image/webp"), ("success", "image/gif"), ("failed", None)])
            quoted = service.submit_batch("media-convert-image", [PHOTO], {"to_format": "gif"})
            self.assertEqual(service.wait(quoted)["model_id"], "media-convert-image-batch")

    def test_runs_recipes(self) -> None:
        steps = [
            {"id": "small", "operation": "convert", "params": {"to_format": "png", "width": 40}},
            {"id": "shop", "operation": "convert", "from": "small", "params": {"to_format": "webp", "width": 20}},
        ]
        with client() as service, open(PHOTO, "rb") as photo:
            quoted: Any = service.quote("pipeline", PHOTO, {"steps": steps})
            self.assertEqual((quoted["price_usd"], quoted["steps"]["shop"]["price_usd"]), ("0.004", "0.002"))
            first = service.pipelines.run(photo.read(), {"steps": steps, "outputs": ["shop"]}, media="image")
            self.assertEqual(first["output"]["files"][0]["width"], 20)
            headers = {"authorization": f"Bearer {API_KEY}"}
            saved = httpx.put(f"{ORIGIN}/api/v2/presets/shop", json={"steps": steps}, headers=headers)
            self.assertEqual(saved.json()["version"], 1)
            recipe = {"preset": "shop@1", "overrides": {"shop": {"width": None, "height": 6}}}
            second = service.pipelines.run(PHOTO, recipe, idempotency_key="py-recipe")
            self.assertEqual(second["output"]["files"][0]["name"], "photo-shop.webp")
            self.assertEqual(second["output"]["files"][0]["height"], 6)
            again = service.pipelines.run(PHOTO, recipe, idempotency_key="py-recipe")
            self.assertEqual(again["request_id"], second["request_id"])
            items = service.run_batch("pipeline", [PHOTO, (PHOTO, {"overrides": {"shop": {"width": 8}}})], {"preset": "shop"})
            widths = [item["files"][0]["width"] for item in items["output"]["items"]]
            self.assertEqual(widths, [20, 8])
            with self.assertRaises(darkroom.InvalidRequestError) as refused:
                service.pipelines.run(PHOTO, {"steps": []})
            self.assertEqual(refused.exception.field, "steps")

    def test_runs_recipes_async(self) -> None:
        async def run() -> str:
            async with AsyncClient(origin=ORIGIN, api_key=API_KEY) as service:
                step = {"id": "a", "operation": "convert", "params": {"to_format": "gif"}}
                return (await service.pipelines.run(PHOTO, {"steps": [step]}))["output"]["media_type"]

        self.assertEqual(asyncio.run(run()), "image/gif")

    def test_quotes_lists_and_counts(self) -> None:
        with client() as service:
            quoted = service.quote("remove-bg", PHOTO)
            self.assertEqual(quoted["price_usd"], "0.01")
            labels = {"order": "py-7"}
            job = service.run("media-convert-image", PHOTO, {"to_format": "png", "metadata": labels})
            found = list(service.all_requests(metadata=labels, limit=1))
            self.assertEqual([each["request_id"] for each in found], [job["request_id"]])
            self.assertGreater(float(service.wallet()["available_usd"]), 0)
            self.assertTrue(service.usage()["usage"])
            self.assertEqual(service.workers()["workers"], [])
            # What a call has uploaded for its request is deleted: its job keeps the bytes.
            self.assertEqual(service.list_uploads()["uploads"], [])
            service.upload(PHOTO, expires_in_hours=1)
            (kept,) = service.list_uploads(limit=1)["uploads"]
            self.assertEqual(kept.get("name"), "photo.png")
            service.delete_upload(kept["upload_id"])
            self.assertEqual(service.list_uploads()["uploads"], [])
            service.delete_output(job["request_id"])
            deleted = service.get_job(job["request_id"])
            self.assertEqual((deleted["output"] or {}).get("media_url"), [])

    def test_quotes_a_batch_by_item(self) -> None:
        with client() as service:
            items = [PHOTO, "http://127.0.0.1:9/missing.png"]
            quote = service.quote_batch("media-convert-image", items, {"to_format": "webp"})
            self.assertEqual(quote["price_usd"], "0.002")
            self.assertEqual([sorted(item)[0] for item in quote["items"]], ["price_usd", "code"])

    def test_makes_and_ends_a_token(self) -> None:
        with client() as service:
            made = service.create_token(max_usd="0.01", expires_in_seconds=60, operations=["remove-bg"])
            with Client(origin=ORIGIN, api_key=made["token"]) as page:
                self.assertEqual(page.list_requests()["requests"], [])
                service.delete_token(made["token_id"])
                with self.assertRaises(darkroom.AuthenticationError):
                    page.wallet()

    def test_yields_the_states_of_a_job(self) -> None:
        with client() as service:
            request_id = service.submit("media-convert-image", PHOTO, {"to_format": "tiff"})
            states = [job["status"] for job in service.events(request_id)]
            self.assertEqual(states[-1], "COMPLETED")
            self.assertEqual([job["status"] for job in service.events(request_id)], ["COMPLETED"])

    def test_verifies_a_receipt_and_its_files(self) -> None:
        with client() as service, open(PHOTO, "rb") as photo:
            job = service.run("media-convert-image", PHOTO, {"to_format": "bmp"})
            keys = httpx.get(f"{ORIGIN}/.well-known/jwks.json").json()
            receipt = darkroom.verify_receipt(job["receipt"] or "", keys)
            self.assertEqual(receipt["request_id"], job["request_id"])
            result = hashlib.sha256(service.download(job["output"]["media_url"][0])).hexdigest()
            self.assertEqual(darkroom.find_receipt_file(receipt, result)[0], "output")
            source = hashlib.sha256(photo.read()).hexdigest()
            self.assertEqual(darkroom.find_receipt_file(receipt, source)[0], "input")
            head, body, signature = (job["receipt"] or "").split(".")
            other = base64.urlsafe_b64encode(b"{}").decode().rstrip("=")
            (key,) = [each for each in keys["keys"]][:1]
            for wrong, known in [
                (f"{head}.{other}.{signature}", keys),
                (f"{head}.{body}.{signature[:-4]}AAAA", keys),
                (f"{head}.{body}", keys),
                ("a receipt", keys),
                (job["receipt"] or "", {"keys": []}),
                (job["receipt"] or "", {"keys": [{**key, "x": key["x"][:-4] + "AAAA"}]}),
            ]:
                with self.assertRaises(darkroom.ReceiptError):
                    darkroom.verify_receipt(wrong, known)
            with self.assertRaises(darkroom.ReceiptError):
                darkroom.find_receipt_file(receipt, "00")

    def test_refuses_what_it_cannot_send(self) -> None:
        with client() as service, open(PHOTO, "rb") as photo:
            calls: List[Callable[[], object]] = [
                lambda: service.get_job(".."),
                lambda: service.cancel(".."),
                lambda: service.run("upscal", PHOTO),
                lambda: service.quote("upscal", PHOTO),
                lambda: service.run("upscale", photo),
                lambda: service.upload(photo),
                lambda: service.run_batch("upscale", [photo]),
                lambda: service.run_batch("audio-diarize", [PHOTO]),
            ]
            for call in calls:
                with self.assertRaises(darkroom.InvalidArgumentError) as refused:
                    call()
                self.assertIsInstance(refused.exception, (darkroom.DarkroomError, ValueError))

    def test_refusals_have_their_kinds(self) -> None:
        with client() as service:
            with self.assertRaises(darkroom.InvalidRequestError) as refused:
                service.run("media-convert-image", PHOTO, {"to_format": "psd"})
            self.assertEqual((refused.exception.status, refused.exception.field), (400, "to_format"))
            with self.assertRaises(darkroom.NotFoundError):
                service.get_job("upscale_x")
        with Client(origin=ORIGIN, api_key="mk_wrong") as stranger:
            with self.assertRaises(darkroom.AuthenticationError):
                stranger.wallet()


class AsyncTest(unittest.IsolatedAsyncioTestCase):
    async def test_runs_a_batch(self) -> None:
        async with AsyncClient(origin=ORIGIN, api_key=API_KEY) as service:
            job = await service.run_batch("media-convert-image", [PHOTO], {"to_format": "webp"})
            self.assertEqual([item["status"] for item in job["output"]["items"]], ["success"])

    async def test_converts_a_file(self) -> None:
        async with AsyncClient(origin=ORIGIN, api_key=API_KEY) as service:
            job = await service.run("media-convert-image", PHOTO, {"to_format": "gif"})
            (url,) = job["output"]["media_url"]
            self.assertEqual((await service.download(url))[:3], b"GIF")
            with tempfile.TemporaryDirectory() as folder:
                await service.download(url, os.path.join(folder, "a.gif"))
                self.assertEqual(os.listdir(folder), ["a.gif"])
            listed = [each async for each in service.all_requests(limit=2)]
            self.assertIn(job["request_id"], [each["request_id"] for each in listed])
            with self.assertRaises(darkroom.InvalidRequestError):
                await service.run("media-convert-image", PHOTO, {"to_format": "psd"})


class CancelTest(unittest.IsolatedAsyncioTestCase):
    """A service that accepts each request, and whose jobs never end."""

    def setUp(self) -> None:
        self.calls: List[str] = []
        self.keys: List[str] = []
        self.reached = asyncio.Event()

    async def respond(self, request: httpx.Request) -> httpx.Response:
        self.calls.append(f"{request.method} {request.url.path}")
        if request.method == "POST":
            self.keys.append(request.headers["idempotency-key"])
            if self.waits_for == "response" and len(self.keys) == 1:
                await self.hang()
            return httpx.Response(202, json={"request_id": "upscale_1"})
        if request.method == "GET":
            await self.hang()
        return httpx.Response(200, json={})

    async def hang(self) -> None:
        self.reached.set()
        await asyncio.sleep(600)

    async def cancel_run(self, waits_for: str) -> None:
        self.waits_for = waits_for
        http = httpx.AsyncClient(transport=httpx.MockTransport(self.respond))
        async with AsyncClient(origin=ORIGIN, api_key=API_KEY, http=http) as service:
            task = asyncio.ensure_future(service.run("upscale", "https://example.com/a.png"))
            await self.reached.wait()
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
        self.assertEqual(self.calls[-1], "DELETE /api/v2/requests/upscale_1")

    async def test_cancels_the_job_of_a_canceled_task(self) -> None:
        await self.cancel_run("end")
        self.assertEqual(len(self.keys), 1)

    async def test_cancels_the_job_whose_response_is_lost(self) -> None:
        await self.cancel_run("response")
        self.assertEqual(self.keys, [self.keys[0]] * 2)


class ConnectionTest(unittest.TestCase):
    def test_honours_the_client_that_it_is_given(self) -> None:
        seen: List[httpx.Request] = []

        def respond(request: httpx.Request) -> httpx.Response:
            seen.append(request)
            return httpx.Response(200, json={})

        transport = httpx.MockTransport(respond)
        headers = {"x-team": "shop", "user-agent": "shop/1"}
        own = httpx.Client(transport=transport, timeout=7, headers=headers)
        for origin in [ORIGIN, f"{ORIGIN}/api/"]:
            with Client(origin=origin, api_key=API_KEY, http=own) as service:
                service.wallet()
                service.wallet(timeout=3)
                own = httpx.Client(transport=transport)
        with Client(origin=ORIGIN, api_key=API_KEY, http=own) as service:
            service.wallet()
        self.assertEqual({str(each.url) for each in seen}, {f"{ORIGIN}/api/v2/wallet"})
        self.assertEqual((seen[0].headers["x-team"], seen[0].headers["user-agent"]), ("shop", "shop/1"))
        self.assertEqual(seen[0].extensions["timeout"]["read"], 7)
        self.assertLessEqual(seen[1].extensions["timeout"]["read"], 3)
        self.assertRegex(seen[2].headers["user-agent"], r"^darkroom-python/\d+\.\d+\.\d+$")

    def test_ends_a_call_and_its_job_after_a_time(self) -> None:
        calls: List[str] = []

        def respond(request: httpx.Request) -> httpx.Response:
            calls.append(request.method)
            body = {"request_id": "upscale_1", "status": "QUEUED"}
            return httpx.Response(200 if request.method == "GET" else 202, json=body)

        with client(http=httpx.Client(transport=httpx.MockTransport(respond))) as service:
            with self.assertRaises(darkroom.ApiTimeoutError) as over:
                service.run("upscale", "https://example.com/a.png", timeout=0.2)
            self.assertIsInstance(over.exception, TimeoutError)
            self.assertEqual((calls[0], calls[-1]), ("POST", "DELETE"))
            with self.assertRaises(darkroom.ApiTimeoutError):
                service.wait("upscale_1", timeout=0.2)
            self.assertEqual(calls[-1], "GET")

    def test_sends_a_large_file_in_parts_and_resumes(self) -> None:
        content = os.urandom(33 * MEGABYTE)
        received = bytearray()
        calls: List[str] = []

        def respond(request: httpx.Request) -> httpx.Response:
            calls.append(request.method)
            if request.method == "POST":
                parts = "https://other.example/api/v2/uploads/u1?signature=s"
                return httpx.Response(201, json={"parts_url": parts, "upload_url": "https://u.example/1", "upload_id": "u1"})
            self.assertEqual(request.url.query, b"signature=s")
            if request.method == "HEAD":
                return httpx.Response(200, headers={"upload-offset": str(len(received))})
            self.assertEqual(int(request.headers["upload-offset"]), len(received))
            if calls.count("PATCH") == 2:
                received.extend(request.content[:MEGABYTE])
                return httpx.Response(409, json={"error": "Conflict", "message": "no", "code": "conflict"})
            received.extend(request.content)
            return httpx.Response(204, headers={"upload-offset": str(len(received))})

        with client(http=httpx.Client(transport=httpx.MockTransport(respond))) as service:
            sent: List[Tuple[int, int]] = []
            url = service.upload(content, on_upload=lambda part, total: sent.append((part, total)))
            self.assertEqual((url, sent[-1]), ("https://u.example/1", (len(content), len(content))))
            self.assertEqual([part for part, _ in sent], sorted(part for part, _ in sent))
        self.assertEqual(bytes(received), content)
        self.assertEqual(calls, ["POST", "PATCH", "PATCH", "HEAD", "PATCH"])

    def test_says_of_a_page_in_place_of_json_that_the_origin_may_be_another_server(self) -> None:
        page = httpx.MockTransport(lambda _: httpx.Response(200, html="<!doctype html>"))
        with client(http=httpx.Client(transport=page)) as service:
            with self.assertRaisesRegex(darkroom.ApiConnectionError, "did not respond with JSON. Check the origin."):
                service.wallet()

    def test_waits_for_retry_after_and_tells_what_may_not_be_repeated(self) -> None:
        responses = [
            httpx.Response(429, headers={"retry-after": "0"}, json={"code": "too_many_requests"}),
            httpx.ConnectError("lost"),
            httpx.Response(503, headers={"retry-after": "0"}),
            httpx.Response(200, json={"available_usd": "1.00"}),
            httpx.Response(503, json={"code": "engine_unavailable", "message": "no"}),
        ]
        keys: List[str] = []

        def respond(request: httpx.Request) -> httpx.Response:
            keys.append(request.headers["authorization"])
            given = responses.pop(0)
            if isinstance(given, Exception):
                raise given
            return given

        with client(http=httpx.Client(transport=httpx.MockTransport(respond))) as service:
            self.assertEqual(service.wallet()["available_usd"], "1.00")
            self.assertEqual(len(keys), 4)
            with self.assertRaises(darkroom.ServiceError):
                service.wallet()
        self.assertEqual(set(keys), {f"Bearer {API_KEY}"})

    def test_tells_a_source_that_may_be_back_soon(self) -> None:
        body = {"code": "source_unavailable", "message": "image_url: 503."}
        for status in (400, 422):
            response = httpx.Response(status, headers={"retry-after": "7"}, json=body)
            with client(http=httpx.Client(transport=httpx.MockTransport(lambda _: response))) as service:
                with self.assertRaises(darkroom.SourceUnavailableError) as refused:
                    service.submit("image-moderation", "https://example.com/a.png")
                self.assertIsInstance(refused.exception, darkroom.InvalidRequestError)
                self.assertEqual(refused.exception.retry_after, 7)

    def test_deletes_a_part_of_a_file_that_is_refused(self) -> None:
        calls: List[str] = []

        def respond(request: httpx.Request) -> httpx.Response:
            calls.append(request.method)
            if request.method == "POST":
                parts = f"{ORIGIN}/api/v2/uploads/u1"
                return httpx.Response(201, json={"parts_url": parts, "upload_url": "https://u.example/1", "upload_id": "u1"})
            return httpx.Response(400 if request.method == "PATCH" else 204, json={"message": "no"})

        with client(http=httpx.Client(transport=httpx.MockTransport(respond))) as service:
            with self.assertRaises(darkroom.InvalidRequestError):
                service.upload(bytes(17 * MEGABYTE))
        self.assertEqual(calls, ["POST", "PATCH", "DELETE"])

    def test_asks_the_service_to_hold_each_look_until_the_end(self) -> None:
        states = ["QUEUED", "PROCESSING", "COMPLETED"]
        wishes: List[str] = []

        def respond(request: httpx.Request) -> httpx.Response:
            wishes.append(request.headers["prefer"])
            return httpx.Response(200, json={"status": states[len(wishes) - 1]})

        with client(http=httpx.Client(transport=httpx.MockTransport(respond))) as service:
            self.assertEqual(service.wait("upscale_1")["status"], "COMPLETED")
        self.assertEqual(wishes, ["wait=1", "wait=1", "wait=1"])

    def test_keeps_the_key_from_other_addresses(self) -> None:
        seen: List[httpx.Headers] = []

        def respond(request: httpx.Request) -> httpx.Response:
            seen.append(request.headers)
            return httpx.Response(200, content=b"x")

        with client(http=httpx.Client(transport=httpx.MockTransport(respond))) as service:
            self.assertEqual(service.download("https://cdn.example/a"), b"x")
        self.assertNotIn("authorization", seen[0])


class WebhookTest(unittest.TestCase):
    secret = f"whsec_{base64.b64encode(b'a' * 24).decode()}"

    def headers(self, body: bytes, age: int = 0) -> Dict[str, str]:
        timestamp = str(int(time.time()) - age)
        signed = hmac.new(b"a" * 24, f"m1.{timestamp}.".encode() + body, hashlib.sha256).digest()
        signature = f"v1,AAAA v1,{base64.b64encode(signed).decode()}"
        return {"Webhook-Id": "m1", "Webhook-Timestamp": timestamp, "Webhook-Signature": signature}

    def test_accepts_genuine_ones_alone(self) -> None:
        body = json.dumps({"request_id": "r1", "status": "COMPLETED"}).encode()
        self.assertEqual(darkroom.verify_webhook(body, self.headers(body), self.secret)["request_id"], "r1")
        for headers, content in [
            (self.headers(body), body + b" "),
            (self.headers(body, age=301), body),
            ({}, body),
            ({**self.headers(body), "Webhook-Signature": "v1,***"}, body),
            ({**self.headers(body), "Webhook-Timestamp": "now"}, body),
        ]:
            with self.assertRaises(darkroom.WebhookError):
                darkroom.verify_webhook(content, headers, self.secret)

    def test_refuses_a_secret_that_everyone_has(self) -> None:
        body, timestamp = b"{}", str(int(time.time()))
        signed = hmac.new(b"", f"m1.{timestamp}.".encode() + body, hashlib.sha256).digest()
        signature = f"v1,{base64.b64encode(signed).decode()}"
        forged = {"Webhook-Id": "m1", "Webhook-Timestamp": timestamp, "Webhook-Signature": signature}
        for secret in ("", "whsec_", f"{self.secret}\n", "not base64"):
            with self.assertRaises(darkroom.InvalidArgumentError):
                darkroom.verify_webhook(body, forged, secret)


if __name__ == "__main__":
    unittest.main()
