import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import * as z from "zod";
import { parseJson, replaceWithJson } from "../disk/atomic-file.ts";
import type { Quarantine } from "../quarantine.ts";
import type { StoreFs } from "../disk/store-fs.ts";

const LINK_SECRET_FILE = "links.key";
const SECRET_BYTES = 32;

const secretFile = z.object({
  /** Base64. */
  secret: z.string(),
  /** CRC-32 of the secret. */
  check: z.number(),
});

/**
 * Opens the secret that signs links to the library: created once per data folder, in a file of mode 0600. If it cannot
 * be stored, links expire with this run instead of after a day.
 */
export async function openLinkSecret(
  fs: StoreFs,
  dir: string,
  quarantine: Quarantine,
  readOnly: boolean,
): Promise<Buffer> {
  const path = join(dir, LINK_SECRET_FILE);
  if ((await fs.size(path)) !== null) {
    const bytes = await fs.readWhole(path);
    const known = parse(bytes);
    if (known !== null) return known;
    const message = "The secret of links to the media library was damaged; links from before do not work any more.";
    const aside = await quarantine.keep(`media-${LINK_SECRET_FILE}`, bytes, "damaged", message);
    if (!aside) return randomBytes(SECRET_BYTES);
  }
  const secret = randomBytes(SECRET_BYTES);
  const text = secret.toString("base64");
  if (!readOnly) await replaceWithJson(fs, path, { secret: text, check: crc32(text) }).catch(() => undefined);
  return secret;
}

function parse(bytes: Buffer): Buffer | null {
  try {
    const { secret, check } = secretFile.parse(parseJson(bytes));
    const opened = Buffer.from(secret, "base64");
    return check === crc32(secret) && opened.length === SECRET_BYTES ? opened : null;
  } catch {
    return null;
  }
}
