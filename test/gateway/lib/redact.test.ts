import { expect, it } from "vitest";
import { redact } from "../../../gateway/lib/redact.ts";

it.each([
  [
    "the whole of a webhook secret, whatever its base64 holds",
    "is whsec_ab+/cdEF0123456789/+ab+cd/ef== now",
    "is whsec_[redacted] now",
  ],
  ["a local key", "key sk-abcdefgh12345678.", "key sk-[redacted]."],
  ["a bearer", "Authorization: Bearer abcdefgh12345678", "Authorization: Bearer [redacted]"],
  ["a key in a query", "https://x.example/?api_key=secret&a=1", "https://x.example/?api_key=[redacted]&a=1"],
  ["nothing of plain text", "the task is whsec_ free", "the task is whsec_ free"],
])("takes out %s", (_what, text, clean) => expect(redact(text)).toBe(clean));
