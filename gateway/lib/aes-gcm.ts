import { createCipheriv, createDecipheriv, createHmac, scryptSync } from "node:crypto";

/** A key of 256 bits from a password, by scrypt with Node's usual costs. */
export function keyFromPassword(password: string, salt: string): Buffer {
  return scryptSync(password, salt, 32);
}

/** Decrypts AES-256-GCM as text; null if the key is wrong or the text was changed. Parts in hex. */
export function decryptText(iv: string, text: string, tag: string, key: Buffer): string | null {
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(iv, "hex"));
    decipher.setAuthTag(Buffer.from(tag, "hex"));
    return decipher.update(text, "hex", "utf8") + decipher.final("utf8");
  } catch {
    return null;
  }
}

/** Encrypts a text with AES-256-GCM deterministically: its nonce is derived from the text. Parts in hex. */
export function encryptAlike(text: string, key: Buffer): readonly [iv: string, text: string, tag: string] {
  const iv = createHmac("sha256", key).update(text).digest().subarray(0, 12);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  const encrypted = cipher.update(text, "utf8", "hex") + cipher.final("hex");
  return [iv.toString("hex"), encrypted, cipher.getAuthTag().toString("hex")];
}
