import { randomBytes, scrypt } from "node:crypto";
import type { Identity, Recipient, Stanza } from "age-encryption";

/**
 * Texts encrypted by a passphrase in the age format (age-encryption.org/v1, C2SP/age), armored, as `age -p` writes and
 * reads them. The library's own scrypt is JavaScript and would block for two seconds: here it is Node's, off the event
 * loop. Loaded on first use.
 */

/** The age tool's default: 2¹⁸ rounds, about a second and 256 MiB. */
const WORK_FACTOR = 18;
/** Max work factor, 1 GiB: no tool for passphrases needs more. */
const MOST_WORK = 20;
const BLOCK_BYTES = 128 * 8;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const NONCE = new Uint8Array(12);

async function getLibrary() {
  const [age, { chacha20poly1305 }] = await Promise.all([import("age-encryption"), import("@noble/ciphers/chacha.js")]);
  return { ...age, chacha20poly1305 };
}

/** @param workFactor of scrypt, as a power of two */
export async function encryptText(text: string, passphrase: string, workFactor = WORK_FACTOR): Promise<string> {
  const { Encrypter, Stanza: NewStanza, armor, chacha20poly1305 } = await getLibrary();
  const recipient: Recipient = {
    wrapFileKey: async (fileKey) => {
      const salt = randomBytes(SALT_BYTES);
      const key = await derivedKey(passphrase, salt, workFactor);
      const args = ["scrypt", getBase64(salt), String(workFactor)];
      return [new NewStanza(args, chacha20poly1305(key, NONCE).encrypt(fileKey))];
    },
  };
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return armor.encode(await encrypter.encrypt(text));
}

/** @returns null if the passphrase is wrong, or the text is not encrypted with one */
export async function decryptText(armored: string, passphrase: string): Promise<string | null> {
  const { Decrypter, armor, chacha20poly1305 } = await getLibrary();
  const identity: Identity = {
    unwrapFileKey: async (stanzas: Stanza[]) => {
      const [stanza] = stanzas;
      const { args, body } = stanza ?? { args: [], body: new Uint8Array() };
      const [kind, salt = "", factor = ""] = args;
      // A passphrase must be the only recipient (C2SP/age, "scrypt recipient type").
      if (stanzas.length !== 1 || kind !== "scrypt" || args.length !== 3 || !/^[1-9]\d?$/.test(factor)) return null;
      if (Number(factor) > MOST_WORK) return null;
      const key = await derivedKey(passphrase, Buffer.from(salt, "base64"), Number(factor));
      return chacha20poly1305(key, NONCE).decrypt(body);
    },
  };
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  try {
    return await decrypter.decrypt(armor.decode(armored.trim()), "text");
  } catch {
    return null;
  }
}

const getBase64 = (bytes: Buffer): string => bytes.toString("base64").replace(/(?<!=)=+$/, "");

function derivedKey(passphrase: string, salt: Uint8Array, workFactor: number): Promise<Uint8Array> {
  const labelled = Buffer.concat([Buffer.from("age-encryption.org/v1/scrypt"), salt]);
  const N = 2 ** workFactor;
  return new Promise((resolve, reject) => {
    scrypt(passphrase, labelled, KEY_BYTES, { N, r: 8, p: 1, maxmem: 2 * N * BLOCK_BYTES }, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}
