/** An encrypted value: AES-256-GCM with a key that only the gateway provides. */
export interface Sealed {
  readonly id: string;
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly sealed: ArrayBuffer;
}

const IV_BYTES = 12;
const HEAD_BYTES = 4;

/** Entry of a file in the text; its bytes follow the text. */
interface FilePlace {
  readonly file: { readonly name: string; readonly type: string; readonly size: number };
}

/** @param key 32 bytes as base64 */
export function importKey(key: string): Promise<CryptoKey> {
  const bytes = Uint8Array.from(atob(key), (character) => character.charCodeAt(0));
  return crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}

/** Encrypts plain objects with files in them. The id is not secret; it cannot be exchanged for another. */
export async function seal(key: CryptoKey, id: string, value: unknown): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const plain = await toBytes(value);
  return { id, iv, sealed: await crypto.subtle.encrypt(parameters(iv, id), key, plain) };
}

/** @throws if the key is another one, or the stored data was changed */
export async function unseal(key: CryptoKey, { id, iv, sealed }: Sealed): Promise<unknown> {
  return fromBytes(await crypto.subtle.decrypt(parameters(iv, id), key, sealed));
}

const parameters = (iv: Uint8Array<ArrayBuffer>, id: string): AesGcmParams => ({
  name: "AES-GCM",
  iv,
  additionalData: new TextEncoder().encode(id),
});

async function toBytes(value: unknown): Promise<ArrayBuffer> {
  const files: File[] = [];
  const text = JSON.stringify(value, (_name, each: unknown) => {
    if (!(each instanceof File)) return each;
    files.push(each);
    return { file: { name: each.name, type: each.type, size: each.size } } satisfies FilePlace;
  });
  const body = new TextEncoder().encode(text);
  const head = new DataView(new ArrayBuffer(HEAD_BYTES));
  head.setUint32(0, body.length);
  return new Blob([head, body, ...files]).arrayBuffer();
}

function fromBytes(bytes: ArrayBuffer): unknown {
  const end = HEAD_BYTES + new DataView(bytes).getUint32(0);
  let at = end;
  // JSON.parse visits inner values first and in order, as JSON.stringify met the files.
  return JSON.parse(new TextDecoder().decode(bytes.slice(HEAD_BYTES, end)), (_name, each: unknown) => {
    if (!isFilePlace(each)) return each;
    const { name, type, size } = each.file;
    const file = new File([bytes.slice(at, at + size)], name, { type });
    at += size;
    return file;
  });
}

function isFilePlace(value: unknown): value is FilePlace {
  if (typeof value !== "object" || value === null || Object.keys(value).join() !== "file") return false;
  const { file } = value as { file: unknown };
  return typeof file === "object" && file !== null && Object.keys(file).join() === "name,type,size";
}
