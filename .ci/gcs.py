"""A server in memory that speaks as the XML interface of Google Cloud Storage does, as far as the store in a bucket asks it: `gcs.py PORT BUCKET`.

The emulators that Python's index has speak the JSON interface alone. One request is answered at a time, so that a condition holds when it is acted upon.

Source: https://cloud.google.com/storage/docs/xml-api/reference-methods
"""

import hashlib
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit
from xml.etree import ElementTree
from xml.sax.saxutils import escape

PORT, BUCKET = int(sys.argv[1]), sys.argv[2]
MOMENT = "Mon, 30 Nov 2026 12:00:00 GMT"

lock = threading.Lock()
# The bytes and the generation of each object, and the parts of each upload.
objects, uploads = {}, {}
count = 0


def next_number():
    global count
    count += 1
    return count


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def refuse(self, status, code):
        self.answer(status, f"<Error><Code>{code}</Code></Error>".encode())

    def do(self):
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
        bucket, _, key = unquote(parts.path).lstrip("/").partition("/")
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with lock:
            if bucket != BUCKET:
                self.refuse(404, "NoSuchBucket")
            elif not key:
                self.list(query)
            else:
                getattr(self, self.command.lower())(key, query, body)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = do

    def list(self, query):
        prefix, delimiter = query.get("prefix", ""), query.get("delimiter")
        contents, prefixes = [], set()
        for key, (data, _) in sorted(objects.items()):
            if not key.startswith(prefix):
                continue
            folder, found, _ = key[len(prefix) :].partition(delimiter) if delimiter else ("", "", "")
            if found:
                prefixes.add(prefix + folder + delimiter)
            else:
                contents.append((key, data))
        rows = [
            f"<Contents><Key>{escape(key)}</Key><Size>{len(data)}</Size><LastModified>2026-11-30T12:00:00.000Z</LastModified>"
            f'<ETag>"{hashlib.md5(data).hexdigest()}"</ETag></Contents>'
            for key, data in contents
        ]
        rows += [f"<CommonPrefixes><Prefix>{escape(prefix)}</Prefix></CommonPrefixes>" for prefix in sorted(prefixes)]
        self.answer(200, f"<ListBucketResult>{''.join(rows)}</ListBucketResult>".encode())

    def described(self, data, generation):
        tag = f'"{hashlib.md5(data).hexdigest()}"'
        return [("ETag", tag), ("x-goog-generation", str(generation)), ("Last-Modified", MOMENT)]

    def get(self, key, query, _):
        data, generation = objects.get(key, (None, None))
        if data is None or query.get("generation", str(generation)) != str(generation):
            return self.refuse(404, "NoSuchKey")
        headers = self.described(data, generation)
        wanted = self.headers.get("Range")
        if not wanted:
            return self.answer(200, data, headers)
        begin, last = wanted.removeprefix("bytes=").split("-")
        part = data[int(begin) : int(last) + 1]
        headers.append(("Content-Range", f"bytes {begin}-{int(begin) + len(part) - 1}/{len(data)}"))
        self.answer(206, part, headers)

    head = get

    def store(self, key, data):
        objects[key] = (data, next_number())
        return self.described(*objects[key])

    def put(self, key, query, body):
        if "uploadId" in query:
            uploads[query["uploadId"]][int(query["partNumber"])] = body
            return self.answer(200, headers=[("ETag", f'"{hashlib.md5(body).hexdigest()}"')])
        wanted = self.headers.get("x-goog-if-generation-match")
        if wanted is not None and int(wanted) != objects.get(key, (None, 0))[1]:
            return self.refuse(412, "PreconditionFailed")
        self.answer(200, headers=self.store(key, body))

    def post(self, key, query, body):
        if "uploads" in query:
            upload = str(next_number())
            uploads[upload] = {}
            text = f"<InitiateMultipartUploadResult><UploadId>{upload}</UploadId></InitiateMultipartUploadResult>"
            return self.answer(200, text.encode())
        numbers = [int(part.text) for part in ElementTree.fromstring(body).iter("PartNumber")]
        parts = uploads.pop(query["uploadId"])
        headers = self.store(key, b"".join(parts[number] for number in numbers))
        text = f"<CompleteMultipartUploadResult><ETag>{escape(headers[0][1])}</ETag></CompleteMultipartUploadResult>"
        self.answer(200, text.encode(), headers)

    def delete(self, key, query, _):
        if "uploadId" in query:
            uploads.pop(query["uploadId"], None)
            return self.answer(204)
        if objects.pop(key, None) is None:
            return self.refuse(404, "NoSuchKey")
        self.answer(204)


ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()
