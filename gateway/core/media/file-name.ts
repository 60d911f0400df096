const LONGEST_NAME = 255;

/**
 * A file's name for a provider: the client's without its path and with the ending of what the file is. Providers judge a
 * file by its name, and `blob`, as browsers call it, says nothing.
 * @param otherwise where nothing of the client's name is left
 */
export function plainFileName(fileName: string, otherwise: string, extension: string): string {
  const base = /(?<![^/\\])[^/\\]*$/.exec(fileName.slice(-LONGEST_NAME))?.[0] ?? "";
  const stem = base.replace(/\.\w{1,8}$/, "").replaceAll(/[^\w .-]+/g, "_");
  return `${/[a-z0-9]/i.test(stem) ? stem.slice(-80).trim() : otherwise}.${extension}`;
}
