const LONGEST_NAME = 255;

/**
 * Returns a file name for a provider: the client's name without its path, with the extension of the actual type.
 * Providers derive the type from the name, and browsers send `blob`.
 * @param otherwise name to use if the client's is empty
 */
export function plainFileName(fileName: string, otherwise: string, extension: string): string {
  const base = /(?<![^/\\])[^/\\]*$/.exec(fileName.slice(-LONGEST_NAME))?.[0] ?? "";
  const stem = base.replace(/\.\w{1,8}$/, "").replaceAll(/[^\w .-]+/g, "_");
  return `${/[a-z0-9]/i.test(stem) ? stem.slice(-80).trim() : otherwise}.${extension}`;
}
