/** What an object costs beside its texts, roughly. */
const OBJECT_BYTES = 64;

/** Roughly how many bytes of memory a message holds, without writing it as JSON: pictures in it are megabytes. */
export function weightOf(message: unknown): number {
  let bytes = 0;
  const open: unknown[] = [message];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === "string") bytes += value.length;
    else if (typeof value === "object" && value !== null) {
      bytes += OBJECT_BYTES;
      for (const name in value) open.push((value as Record<string, unknown>)[name]);
    } else bytes += 8;
  }
  return bytes;
}
