import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

secret = os.environ["WEBHOOK_SECRET"].removeprefix("whsec_")
KEY = base64.b64decode(secret)


def is_signed(body, headers):
    id = headers["webhook-id"] or ""
    sent = headers["webhook-timestamp"] or ""
    if not sent.isdecimal() or abs(time.time() - int(sent)) > 300:
        return False
    text = f"{id}.{sent}.".encode() + body
    digest = hmac.digest(KEY, text, hashlib.sha256)
    own = b"v1," + base64.b64encode(digest)
    # Two signatures, while the secret is being rotated.
    given = (headers["webhook-signature"] or "").encode().split(b" ")
    return any(hmac.compare_digest(each, own) for each in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        # The bytes as they arrived: JSON written again would differ.
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if is_signed(body, self.headers):
            job = json.loads(body)
            print(job["request_id"], job["status"], flush=True)
            self.send_response(204)
        else:
            self.send_response(401)
        self.end_headers()


address = ("127.0.0.1", int(os.environ["PORT"]))
HTTPServer(address, Receiver).serve_forever()
