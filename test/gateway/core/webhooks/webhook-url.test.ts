import fc from "fast-check";
import { expect, it } from "vitest";
import { decryptUrl, encryptUrl, showUrl } from "../../../../gateway/core/webhooks/webhook-url.ts";

const KEY = Buffer.alloc(32, 1);

it("a webhook URL comes back as it was, and shows no query", () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true }), fc.string({ maxLength: 20 }), (base, more) => {
      const url = base + encodeURIComponent(more);
      const stored = encryptUrl(url, KEY);
      expect(decryptUrl(stored, KEY)).toBe(url);
      expect(encryptUrl(url, KEY)).toBe(stored);
      expect(showUrl(stored)).toBe(url.split("?", 1)[0]);
    }),
  );
});

it("a URL of an older record is what it says", () => {
  const old = "https://example.com/hook?token=a";
  expect([decryptUrl(old, KEY), showUrl(old)]).toEqual([old, old]);
});

it("another key decrypts nothing", () => {
  expect(decryptUrl(encryptUrl("https://example.com/hook?a", KEY), Buffer.alloc(32, 2))).toBeNull();
});
