import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))


def is_signed(body, headers):
    id, sent = headers["webhook-id"] or "", headers["webhook-timestamp"] or "0"
    if abs(time.time() - int(sent)) > 300:
        return False
    text = f"{id}.{sent}.".encode() + body
    digest = base64.b64encode(hmac.digest(SECRET, text, hashlib.sha256))
    # Two signatures, while the secret is being rotated.
    given = (headers["webhook-signature"] or "").split(" ")
    return any(hmac.compare_digest(each, "v1," + digest.decode()) for each in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        # The bytes as they arrived: JSON that is written again would differ.
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if is_signed(body, self.headers):
            job = json.loads(body)
            print(job["request_id"], job["status"], flush=True)
            self.send_response(204)
        else:
            self.send_response(401)
        self.end_headers()


HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver).serve_forever()
