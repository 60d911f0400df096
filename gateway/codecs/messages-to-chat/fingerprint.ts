const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/** Seven-character hash of a text (FNV-1a, 32 bits, base 36). Not cryptographic. */
export function getFingerprint(text: string): string {
  let hash = OFFSET;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), PRIME);
  }
  return (hash >>> 0).toString(36).padStart(7, "0");
}
