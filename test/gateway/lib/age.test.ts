import { describe, expect, it } from "vitest";
import { decryptText, encryptText } from "../../../gateway/lib/age.ts";

/** Less than a second each; what it writes by itself was tried with the age tool. */
const QUICK = 10;

/** Made by Debian's age 1.1.1: `age -p -a`, passphrase "correct horse". */
const BY_AGE = `-----BEGIN AGE ENCRYPTED FILE-----
YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBOZUZwUUVvSVUxaWhhL2pU
RDBETkx3IDE4CnRLSzhHMXNyK2pzNkxFeWhhdHpQcHNQVWlsankvNTNORUYxSHYx
NDRVS2sKLS0tIEdGQ3Qwa3NIU2kzclNMeWI0Tld3ZjhhRU9lOHNYemNDMEM0TC9Z
ZjNxYWsKS4SiOU3uj0WFMe2njl41i1Bx1c1lR3dU4hYIrT6aasDDKLm7jnNC4bts
sud5wQllQdA=
-----END AGE ENCRYPTED FILE-----
`;

describe("texts under a passphrase", () => {
  it.each(["", "one line", "two\nlines\n", "漢字 ü".repeat(20_000)])("come back whole: %#", async (text) => {
    const encrypted = await encryptText(text, "päss phrase", QUICK);
    expect(encrypted).toMatch(/^-----BEGIN AGE ENCRYPTED FILE-----\n/);
    expect(await decryptText(encrypted, "päss phrase")).toBe(text);
    expect(await decryptText(encrypted, "pass phrase")).toBeNull();
  });

  it("are read as the age tool writes them", async () => {
    expect(await decryptText(BY_AGE, "correct horse")).toBe("from the age tool\n");
  });

  it("do not exist where anything of them is changed, or asks for too much work", async () => {
    const encrypted = await encryptText("text", "pass", QUICK);
    const lines = encrypted.split("\n");
    const body = Buffer.from(lines.slice(1, -2).join(""), "base64");
    const armored = (bytes: Buffer): string =>
      [lines[0], bytes.toString("base64").replaceAll(/.{64}/g, "$&\n").trim(), lines.at(-2), ""].join("\n");
    expect(await decryptText(armored(body), "pass")).toBe("text");
    for (const at of [30, 60, body.length - 40, body.length - 1]) {
      const changed = Buffer.from(body);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(await decryptText(armored(changed), "pass")).toBeNull();
    }
    const costly = Buffer.from(body.toString("latin1").replace(` ${QUICK}\n`, " 30\n"), "latin1");
    expect(await decryptText(armored(costly), "pass")).toBeNull();
    for (const nothing of ["", "text", "-----BEGIN AGE ENCRYPTED FILE-----\n-----END AGE ENCRYPTED FILE-----"])
      expect(await decryptText(nothing, "pass")).toBeNull();
  });
});
